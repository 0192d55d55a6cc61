import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Piscina } from 'piscina';
import type { IncomingEvent } from '../../ingest/incoming-event.js';
import { parseEventJson } from '../event-json.js';
import { type EventContext, readEvent } from '../read-event.js';
import { UnreadableEvent } from '../unreadable-event.js';
import { arriving, type EventAnswer, type EventTask } from './travelling-event.js';

/** Below this an event is read in less time than it needs to get to a thread and back. */
const WORTH_A_THREAD_BYTES = 16 * 1024;
const MOST_THREADS = 4;
const IDLE_MS = 60_000;
/** Far above what an event of 1 MiB needs; a thread that needs more ends alone. */
const THREAD_MEGABYTES = 256;

/** The file that threads run: compiled, as they start without what compiles tests. */
export const EVENT_READER_FILE = Symbol('EVENT_READER_FILE');
export const eventReaderFile = fileURLToPath(new URL('./event-reader.thread.js', import.meta.url));

/**
 * Reads events: small ones at once, larger ones on threads, so that requests of people do not wait
 * for what programs report. Threads start when they are needed and end when they are not.
 */
@Injectable()
export class EventReader implements OnApplicationShutdown {
  private readonly logger = new Logger(EventReader.name);
  private readonly threads: Piscina<EventTask, EventAnswer>;

  constructor(@Inject(EVENT_READER_FILE) filename: string) {
    this.threads = new Piscina<EventTask, EventAnswer>({
      filename,
      name: 'readOnThread',
      minThreads: 0,
      maxThreads: Math.min(MOST_THREADS, Math.max(1, availableParallelism() - 1)),
      idleTimeout: IDLE_MS,
      resourceLimits: { maxOldGenerationSizeMb: THREAD_MEGABYTES },
    });
    // Of a thread with nothing to do: who listens to nobody would end the process.
    this.threads.on('error', (error: Error) => this.logger.error('A thread failed', error.stack));
  }

  /**
   * Reads the JSON of an event. Throws UnreadableEvent for what is none, and another error when its
   * thread fails; the next event gets a new one.
   */
  async read(json: Buffer, context: Omit<EventContext, 'json'>): Promise<IncomingEvent> {
    if (json.length < WORTH_A_THREAD_BYTES) {
      const text = json.toString('utf8');
      return readEvent(parseEventJson(text), { ...context, json: text });
    }
    const { source, received, ...rest } = context;
    const answer = await this.threads.run({
      ...rest,
      json,
      source: JSON.stringify(source),
      received: received && { encoding: received.encoding, isEnvelope: received.isEnvelope },
    });
    if ('event' in answer) return arriving(answer.event, received);
    throw new UnreadableEvent(answer.unreadable.message, answer.unreadable.causes);
  }

  /** After the last request was answered. */
  onApplicationShutdown(): Promise<void> {
    return this.threads.destroy();
  }
}
