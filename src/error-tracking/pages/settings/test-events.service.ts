import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../core/clock.js';
import { ClientKeyCache } from '../../client-keys/client-key-cache.service.js';
import { ErrorHashesRepository } from '../../error-hashes.repository.js';
import { ErrorIngest } from '../../ingest/error-ingest.service.js';
import { readEvent } from '../../parsing/read-event.js';
import { sampleEvent } from './sample-event.js';

/** Sends a project an event as its programs would, to see that errors arrive. */
@Injectable()
export class TestEvents {
  constructor(
    private readonly sources: ClientKeyCache,
    private readonly ingest: ErrorIngest,
    private readonly hashes: ErrorHashesRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Stores an event that is counted like any other. Returns the id of its error; null when the
   * project collects no errors here. Throws 503 when too many events wait to be stored.
   */
  async send(project: { id: number; name: string }): Promise<number | null> {
    const source = await this.sources.ofProject(project.id);
    if (source === null) return null;
    const receivedAt = this.clock.now();
    const eventId = randomUUID().replaceAll('-', '');
    const event = sampleEvent({ eventId, now: receivedAt, projectName: project.name });
    const read = readEvent(event, {
      source,
      headerEventId: eventId,
      sentAt: null,
      receivedAt,
      clientAddress: '127.0.0.1',
      received: null,
      json: Buffer.from(JSON.stringify(event)),
    });
    await this.ingest.receive(source, read);
    // An event that was not stored, beyond the sampled number, has an error nonetheless.
    return this.hashes.findErrorId(project.id, read.hashes);
  }
}
