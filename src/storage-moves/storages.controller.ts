import { Controller, Get, Param, Put } from '@nestjs/common';
import { Ability, Scopes } from '../core/access/access.decorator.js';
import { Auth, type AuthContext } from '../core/access/auth-context.js';
import { Input } from '../core/params/input.decorator.js';
import { IfUnmodified, type Preconditions } from '../core/preconditions.js';
import { StorageRegistry } from '../git/storage-registry.js';
import { UpdateStorageDto } from './storage-move.dto.js';
import { StorageSettings } from './storage-settings.service.js';
import {
  type StorageResponse,
  type StorageSummaryResponse,
  presentLimits,
  StorageSummaries,
} from './storage-summary.service.js';

/** Storages, their move limits and their load; additions to the specification. */
@Controller('storage_moves')
@Scopes()
@Ability('administrate')
export class StoragesController {
  constructor(
    private readonly summaries: StorageSummaries,
    private readonly settings: StorageSettings,
    private readonly storages: StorageRegistry,
  ) {}

  /** Lists all storages with their content and moves. */
  @Get('summary')
  summary(): Promise<StorageSummaryResponse[]> {
    return this.summaries.all();
  }

  /** Shows the limits of moves from and to a storage. */
  @Get('storages/:name')
  async get(@Param('name') name: string): Promise<StorageResponse> {
    const limits = await this.settings.get(name);
    return presentLimits(name, this.storages.get(name).weight, limits);
  }

  /**
   * Updates the limits of moves from and to a storage. Omitted attributes are unchanged and unknown
   * names are a 400.
   */
  @Put('storages/:name')
  async update(
    @Param('name') name: string,
    @Input({ refusesUnknown: true }) dto: UpdateStorageDto,
    @Auth() actor: AuthContext,
    @IfUnmodified() preconditions: Preconditions,
  ): Promise<StorageResponse> {
    const limits = await this.settings.update({ name, preconditions }, dto, actor);
    return presentLimits(name, this.storages.get(name).weight, limits);
  }
}
