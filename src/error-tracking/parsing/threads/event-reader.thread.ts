import type { ErrorSource } from '../../ingest/error-source.js';
import { parseEventJson } from '../event-json.js';
import { readEvent } from '../read-event.js';
import { remembered } from '../remembered.js';
import { UnreadableEvent } from '../unreadable-event.js';
import { departing, type EventAnswer, type EventTask } from './travelling-event.js';

/** Rules for secrets are kept by the object: the same source has to be the same one again. */
const sourceOf = remembered((json) => JSON.parse(json) as ErrorSource);

/** Reads an event away from the thread that answers requests. Called by the pool, by its name. */
export function readOnThread({ json, source, ...task }: EventTask): EventAnswer {
  const text = Buffer.from(json.buffer, json.byteOffset, json.length).toString('utf8');
  const received = task.received === null ? null : { ...task.received, bytes: Buffer.alloc(0) };
  const context = { ...task, source: sourceOf(source), received, json: text };
  try {
    return { event: departing(readEvent(parseEventJson(text), context), received) };
  } catch (error) {
    if (!(error instanceof UnreadableEvent)) throw error;
    return { unreadable: { message: error.message, causes: error.causes } };
  }
}
