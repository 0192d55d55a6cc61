import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import {
  type PushOptionsListener,
  PushOptionsListeners,
  type PushWithOptions,
} from '../git/push-options-listeners.service.js';
import { BRANCH_PREFIX, isZeroOid } from '../git/reference-name.js';
import { lockPipelines } from './pipelines-lock.js';

/** Statuses from external CI, earlier or later, take precedence. */
const SKIP_SQL = `
  INSERT INTO pipelines (project_id, sha, ref, user_id, status, finished_at)
  SELECT $1, $2, $3, $4, 'skipped', now()
  WHERE NOT EXISTS (SELECT 1 FROM pipelines WHERE project_id = $1 AND sha = $2 AND ref = $3)`;

/** Handles `git push -o ci.skip`: marks the pipelines of the pushed branches as skipped. */
@Injectable()
export class SkippedPipelines implements PushOptionsListener, OnModuleInit {
  constructor(
    private readonly listeners: PushOptionsListeners,
    private readonly dataSource: DataSource,
  ) {}

  onModuleInit(): void {
    this.listeners.add(this);
  }

  async follow({ projectId, viewer, options, updates }: PushWithOptions): Promise<string[]> {
    if (!options.includes('ci.skip')) return [];
    for (const { ref, newOid } of updates) {
      if (!ref.startsWith(BRANCH_PREFIX) || isZeroOid(newOid)) continue;
      await this.dataSource.transaction(async (tx) => {
        await lockPipelines(tx, projectId, newOid);
        const branch = ref.slice(BRANCH_PREFIX.length);
        await tx.query(SKIP_SQL, [projectId, newOid, branch, viewer.id]);
      });
    }
    return [];
  }
}
