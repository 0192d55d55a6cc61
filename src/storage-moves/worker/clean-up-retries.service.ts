import { Injectable, Logger } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { RepositoryTrashRepository } from '../../git/repository-trash.repository.js';
import { StorageRegistry } from '../../git/storage-registry.js';
import { ALL_MOVE_KINDS, type MoveKindDescription } from '../move-kinds.js';
import { transactionRows } from '../transaction-rows.js';
import type { ClaimedMove } from './claimed-move.js';
import { MoveCleanUp } from './move-clean-up.service.js';
import { MovePreparation } from './move-preparation.service.js';

const BATCH = 20;

type LeftSource = Pick<
  ClaimedMove,
  'kind' | 'id' | 'containerId' | 'attempt' | 'source' | 'destination'
>;

/**
 * Tries again to remove the sources of moves whose clean-up failed. Their state stays
 * `cleanup failed`; the phase `done` records the late success.
 */
@Injectable()
export class CleanUpRetries {
  private readonly logger = new Logger(CleanUpRetries.name);

  constructor(
    private readonly dataSource: DataSource,
    private readonly storages: StorageRegistry,
    private readonly preparation: MovePreparation,
    private readonly cleanUp: MoveCleanUp,
    private readonly trash: RepositoryTrashRepository,
  ) {}

  async run(): Promise<void> {
    for (const description of ALL_MOVE_KINDS) {
      const ids = await this.postpone(description);
      for (const id of ids) {
        await this.dataSource.transaction((tx) => this.retry(tx, description, id));
      }
    }
  }

  /** Takes the ones that are due and sets their next turn, whatever becomes of this one. */
  private async postpone({ table }: MoveKindDescription): Promise<number[]> {
    const rows = await this.dataSource.transaction((tx) =>
      transactionRows<{ id: number }>(
        tx,
        `UPDATE ${table} SET retry_at = now() + interval '10 minutes' WHERE id IN (
           SELECT id FROM ${table}
           WHERE state = 'cleanup failed' AND phase = 'cleaning' AND retry_at <= now()
             AND source_storage_name = ANY ($1)
           ORDER BY id LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)
         RETURNING id`,
        [this.storages.names()],
      ),
    );
    return rows.map(({ id }) => id);
  }

  private async retry(
    tx: EntityManager,
    description: MoveKindDescription,
    id: number,
  ): Promise<void> {
    const move = await this.lockLeftSource(tx, description, id);
    if (move === null) return;
    const { label } = move;
    if (!move.isBack) {
      try {
        await this.discard(move);
      } catch (error) {
        this.logger.warn(`Source of move ${label} still cannot be removed: ${String(error)}`);
        return;
      }
    }
    await tx.query(
      `UPDATE ${description.table} SET phase = 'done', updated_at = now() WHERE id = $1`,
      [id],
    );
    this.logger.log(`Source of move ${label} is removed`);
  }

  private async discard(move: LeftSource): Promise<void> {
    if (await this.preparation.isSamePlace(move)) return;
    const repositories = this.preparation.allRepositories(move);
    const attempt = Math.max(2, move.attempt);
    const paths = await this.cleanUp.discardSources({ ...move, attempt }, repositories);
    for (const path of paths) {
      await this.trash.add(move.source, path, `${move.kind}-${move.id} moved`);
    }
  }

  /**
   * Under the container's lock no new move of it can begin; with one under way, or the container
   * back on the old storage, what lies there may be the container's own repository again.
   */
  private async lockLeftSource(
    tx: EntityManager,
    { kind, table, containerTable, containerColumn }: MoveKindDescription,
    id: number,
  ): Promise<(LeftSource & { isBack: boolean; label: string }) | null> {
    const [row] = await transactionRows<LeftSource & { isBack: boolean }>(
      tx,
      `SELECT '${kind}' AS kind, m.id, c.id AS "containerId", m.attempt,
              m.source_storage_name AS source, m.destination_storage_name AS destination,
              c.repository_storage = m.source_storage_name AS "isBack"
       FROM ${table} m JOIN ${containerTable} c ON c.id = m.${containerColumn}
       WHERE m.id = $1 AND NOT c.repository_read_only AND NOT EXISTS (
         SELECT 1 FROM ${table} other WHERE other.${containerColumn} = c.id
           AND other.state IN ('initial', 'scheduled', 'started', 'replicated'))
       FOR NO KEY UPDATE OF c`,
      [id],
    );
    return row === undefined ? null : { ...row, label: `${kind}-${row.id}` };
  }
}
