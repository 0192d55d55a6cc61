import { Controller, Get, Param, Put } from '@nestjs/common';
import { Ability, Scopes } from '../core/access/access.decorator.js';
import type { AuthContext } from '../core/access/auth-context.js';
import { Auth } from '../core/access/viewer.decorator.js';
import { Input } from '../core/params/input.decorator.js';
import { StorageRegistry } from '../git/storage-registry.js';
import { UpdateStorageDto } from './dto/update-storage.dto.js';
import { StorageSettings } from './storage-settings.service.js';
import { presentLimits, StorageSummaries, type StorageSummary } from './storage-summary.service.js';

/** What moves between storages, and the limits of it; additions to the specification. */
@Controller('storage_moves')
@Scopes()
@Ability('administrate')
export class StoragesController {
  constructor(
    private readonly summaries: StorageSummaries,
    private readonly settings: StorageSettings,
    private readonly storages: StorageRegistry,
  ) {}

  @Get('summary')
  summary(): Promise<StorageSummary[]> {
    return this.summaries.all();
  }

  @Get('storages/:name')
  async get(@Param('name') name: string): Promise<object> {
    const limits = await this.settings.get(name);
    return presentLimits(name, this.storages.get(name).weight, limits);
  }

  @Put('storages/:name')
  async update(
    @Param('name') name: string,
    @Input() dto: UpdateStorageDto,
    @Auth() actor: AuthContext,
  ): Promise<object> {
    const limits = await this.settings.update(name, dto, actor);
    return presentLimits(name, this.storages.get(name).weight, limits);
  }
}
