import { Injectable } from '@nestjs/common';
import { UnavailableError } from '../../core/errors.js';
import type { IngestItem, IngestOutcome } from './ingest-item.js';

/** Writes what many requests reported in one transaction. */
@Injectable()
export class ErrorBatchWriter {
  /** What became of each event, in their order. */
  write(items: readonly IngestItem[]): Promise<IngestOutcome[]> {
    return Promise.resolve(items.map(() => ({ kind: 'failed', error: new UnavailableError(30) })));
  }
}
