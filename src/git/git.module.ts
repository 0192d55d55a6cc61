import { Module } from '@nestjs/common';
import { DeadWrites } from './dead-writes.service.js';
import { PushOptionsListeners } from './push-options-listeners.service.js';
import { PushRecorder } from './push-recorder.service.js';
import { RepositoryReader } from './reading/repository-reader.service.js';
import { RefUpdateListeners } from './ref-update-listeners.service.js';
import { RepositoryTrashService } from './repository-trash.service.js';
import { RepositoryWriter } from './repository-writer.service.js';
import { StoragePreparation } from './storage-preparation.service.js';
import { StorageRegistry } from './storage-registry.js';
import { StorageVolumes } from './storage-volumes.service.js';
import { WriteLeaseService } from './write-lease.service.js';

/** Repositories on storages, and the right to write to them. */
@Module({
  providers: [
    DeadWrites,
    PushOptionsListeners,
    PushRecorder,
    RefUpdateListeners,
    RepositoryReader,
    RepositoryTrashService,
    RepositoryWriter,
    StoragePreparation,
    StorageRegistry,
    StorageVolumes,
    WriteLeaseService,
  ],
  exports: [
    DeadWrites,
    PushOptionsListeners,
    PushRecorder,
    RefUpdateListeners,
    RepositoryReader,
    RepositoryTrashService,
    RepositoryWriter,
    StorageRegistry,
    StorageVolumes,
    WriteLeaseService,
  ],
})
export class GitModule {}
