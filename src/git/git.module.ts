import { Module } from '@nestjs/common';
import { AbandonedWrites } from './abandoned-writes.service.js';
import { ContainersRepository } from './containers.repository.js';
import { InflightWritesRepository } from './inflight-writes.repository.js';
import { PushOptionsListeners, PushRecorder, RefUpdateListeners } from './push-recorder.service.js';
import { RepositoryReader } from './reading/repository-reader.service.js';
import { RefUpdatesRepository } from './ref-updates.repository.js';
import { RepositoryTrashRepository } from './repository-trash.repository.js';
import { RepositoryTrashService } from './repository-trash.service.js';
import { RepositoryWriter } from './repository-writer.service.js';
import { StoragePreparation, StorageRegistry } from './storage-registry.js';
import { StorageVolumes } from './storage-volumes.service.js';
import { WriteLeaseService } from './write-lease.service.js';

/** Repositories on storages, and the right to write to them. */
@Module({
  providers: [
    AbandonedWrites,
    ContainersRepository,
    InflightWritesRepository,
    PushOptionsListeners,
    PushRecorder,
    RefUpdateListeners,
    RefUpdatesRepository,
    RepositoryReader,
    RepositoryTrashRepository,
    RepositoryTrashService,
    RepositoryWriter,
    StoragePreparation,
    StorageRegistry,
    StorageVolumes,
    WriteLeaseService,
  ],
  exports: [
    AbandonedWrites,
    ContainersRepository,
    InflightWritesRepository,
    PushOptionsListeners,
    PushRecorder,
    RefUpdateListeners,
    RepositoryReader,
    RepositoryTrashRepository,
    RepositoryTrashService,
    RepositoryWriter,
    StorageRegistry,
    StorageVolumes,
    WriteLeaseService,
  ],
})
export class GitModule {}
