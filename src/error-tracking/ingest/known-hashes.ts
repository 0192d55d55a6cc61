import type { TransactionRows } from '../../core/sql/sql.service.js';
import { GROUPING_VERSION } from '../parsing/grouping/event-hashes.js';
import type { IngestItem } from './ingest-item.js';
import { InputColumns } from './input-columns.js';

/** A hash of a project and, once it is known, what it stands for. */
interface ProjectHash {
  projectId: number;
  hash: Buffer;
}

interface KnownHash extends ProjectHash {
  errorId: number;
}

const HASHES = new InputColumns<ProjectHash>([
  ['project_id', 'bigint', ({ projectId }) => projectId],
  ['hash', 'bytea', ({ hash }) => hash],
]);

const READ_SQL = `
  SELECT h.project_id AS "projectId", h.hash, h.error_id AS "errorId"
  FROM ${HASHES.source} JOIN error_hashes h ON h.project_id = n.project_id AND h.hash = n.hash`;

const NEW_HASHES = new InputColumns<KnownHash>([
  ['project_id', 'bigint', ({ projectId }) => projectId],
  ['hash', 'bytea', ({ hash }) => hash],
  ['error_id', 'bigint', ({ errorId }) => errorId],
]);

/** Somebody else may have noted the same for another error: the first one keeps the hash. */
const INSERT_SQL = `
  INSERT INTO error_hashes (project_id, hash, error_id, version)
  SELECT n.project_id, n.hash, n.error_id, ${GROUPING_VERSION} FROM ${NEW_HASHES.source}
  ORDER BY n.project_id, n.hash
  ON CONFLICT DO NOTHING`;

/** To which errors the hashes of a batch belong, as far as that is known. */
export class KnownHashes {
  private readonly errors = new Map<string, number>();
  private readonly added = new Map<string, KnownHash>();

  /** Reads what is stored about the events' hashes. */
  async read(rows: TransactionRows, items: readonly IngestItem[]): Promise<void> {
    const hashes = new Map<string, ProjectHash>();
    for (const { source, event } of items) {
      for (const hash of event.hashes) {
        const one = { projectId: source.projectId, hash };
        hashes.set(keyOf(one), one);
      }
    }
    const known = await rows<KnownHash>(READ_SQL, HASHES.values([...hashes.values()]));
    for (const one of known) this.errors.set(keyOf(one), one.errorId);
  }

  /** The error of an event by any of its hashes, the first before the others; null for a new one. */
  errorOf({ source, event }: IngestItem): number | null {
    for (const hash of event.hashes) {
      const errorId = this.errors.get(keyOf({ projectId: source.projectId, hash }));
      if (errorId !== undefined) return errorId;
    }
    return null;
  }

  /** The hashes of the event that stand for nothing yet stand for this error from now on. */
  add({ source: { projectId }, event }: IngestItem, errorId: number): void {
    for (const hash of event.hashes) {
      const one = { projectId, hash, errorId };
      const key = keyOf(one);
      if (this.errors.has(key)) continue;
      this.errors.set(key, errorId);
      this.added.set(key, one);
    }
  }

  /** Writes what was added. */
  async write(rows: TransactionRows): Promise<void> {
    if (this.added.size === 0) return;
    await rows(INSERT_SQL, NEW_HASHES.values([...this.added.values()]));
  }
}

function keyOf({ projectId, hash }: ProjectHash): string {
  return `${projectId} ${hash.toString('latin1')}`;
}
