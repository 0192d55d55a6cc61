import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ContainersRepository } from './containers.repository.js';
import { StorageRegistry } from './storage-registry.js';

/** Readies the storages when a process starts; see StorageRegistry.prepare for what it refuses. */
@Injectable()
export class StoragePreparation implements OnModuleInit {
  constructor(
    private readonly containers: ContainersRepository,
    private readonly storages: StorageRegistry,
  ) {}

  async onModuleInit(): Promise<void> {
    await this.storages.prepare((name) => this.containers.isStorageInUse(name));
  }
}
