import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import {
  type PushOptionsListener,
  PushOptionsListeners,
  type PushWithOptions,
} from '../../git/push-options-listeners.service.js';
import { BRANCH_PREFIX, isZeroOid } from '../../git/reference-name.js';
import { PipelinesRepository } from './pipelines.repository.js';

/** Handles `git push -o ci.skip`: marks the pipelines of the pushed branches as skipped. */
@Injectable()
export class SkippedPipelines implements PushOptionsListener, OnModuleInit {
  constructor(
    private readonly listeners: PushOptionsListeners,
    private readonly dataSource: DataSource,
    private readonly pipelines: PipelinesRepository,
  ) {}

  onModuleInit(): void {
    this.listeners.add(this);
  }

  async follow({ projectId, viewer, options, updates }: PushWithOptions): Promise<string[]> {
    if (!options.includes('ci.skip')) return [];
    for (const { ref, newOid } of updates) {
      if (!ref.startsWith(BRANCH_PREFIX) || isZeroOid(newOid)) continue;
      await this.dataSource.transaction(async (tx) => {
        await this.pipelines.lockCommit(tx, projectId, newOid);
        const pipeline = { projectId, sha: newOid, ref: ref.slice(BRANCH_PREFIX.length) };
        await this.pipelines.addSkipped(tx, pipeline, viewer.id);
      });
    }
    return [];
  }
}
