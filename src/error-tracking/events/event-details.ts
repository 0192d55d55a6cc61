import { messageOf, tagsOf } from '../parsing/event-fields.js';
import { objectOf, type JsonObject } from '../parsing/json-values.js';
import { ERROR_LEVELS, type ErrorLevel } from '../error-values.js';
import type { StoredEvent } from './stored-event.js';
import {
  breadcrumbDetails,
  contextDetails,
  requestDetails,
  userDetails,
  type BreadcrumbDetails,
  type ContextDetails,
  type EventRequest,
  type EventUser,
} from './context-details.js';
import { Truncator, type TextPair } from './truncator.js';
import {
  exceptionDetails,
  threadDetails,
  type ExceptionDetails,
  type ThreadDetails,
  type FrameDetails,
} from './trace-details.js';

/** SDK that sent an event. */
interface SdkDetails {
  name: string;
  version: string | null;
}

/** Details of one event, with bounded sizes. */
export interface EventDetails {
  /** 32 lowercase hex. */
  eventId: string;
  occurredAt: Date;
  receivedAt: Date;
  title: string;
  /** The message that the program wrote; null when there are only exceptions. */
  message: string | null;
  level: ErrorLevel;
  platform: string;
  logger: string | null;
  environment: string;
  release: string | null;
  dist: string | null;
  serverName: string | null;
  transaction: string | null;
  sdk: SdkDetails | null;
  /** As sent: the cause first, what was thrown last. */
  exceptions: ExceptionDetails[];
  /** The one that failed first, with frames where no exception has any. */
  threads: ThreadDetails[];
  /** Breadcrumbs, oldest first. */
  breadcrumbs: BreadcrumbDetails[];
  tags: TextPair[];
  user: EventUser | null;
  request: EventRequest | null;
  contexts: ContextDetails[];
  extra: TextPair[];
  /** Modules of the program with their versions. */
  modules: TextPair[];
  /** True if parts were left out because of their size. */
  isCut: boolean;
  /** True if the payload is unreadable: then only the attributes stored next to it are present. */
  isDamaged: boolean;
}

type StoredBeside = Omit<StoredEvent, 'payload' | 'payloadEncoding' | 'isEnvelope'>;

/** Returns the details of an event; a `payload` of null is unreadable. */
export function eventDetails(row: StoredBeside, payload: JsonObject | null): EventDetails {
  const truncator = new Truncator();
  const event = payload ?? {};
  const details = {
    ...keptBeside(row),
    ...namesOf(event, truncator),
    ...tracesOf(event, truncator),
    breadcrumbs: breadcrumbDetails(event, truncator),
    tags: truncator.pairs(tagsOf(event)),
    user: userDetails(event, truncator, row.clientAddress),
    request: requestDetails(event, truncator),
    contexts: contextDetails(event, truncator),
    extra: truncator.pairs(event.extra),
    modules: truncator.pairs(event.modules),
  };
  return { ...details, isCut: truncator.isCut, isDamaged: payload === null };
}

function keptBeside(row: StoredBeside) {
  return {
    eventId: row.eventId,
    occurredAt: row.occurredAt,
    receivedAt: row.receivedAt,
    title: row.title,
    level: ERROR_LEVELS[row.level] ?? 'error',
    environment: row.environment,
    release: row.release,
  };
}

function namesOf(event: JsonObject, truncator: Truncator) {
  return {
    message: truncator.text(messageOf(event)?.text),
    platform: truncator.text(event.platform) ?? 'other',
    logger: truncator.text(event.logger),
    dist: truncator.text(event.dist),
    serverName: truncator.text(event.server_name),
    transaction: truncator.text(event.transaction),
    sdk: sdkOf(event, truncator),
  };
}

function sdkOf(event: JsonObject, truncator: Truncator): SdkDetails | null {
  const sdk = objectOf(event.sdk);
  const name = truncator.text(sdk?.name);
  return name === null ? null : { name, version: truncator.text(sdk?.version) };
}

function tracesOf(event: JsonObject, truncator: Truncator) {
  const exceptions = exceptionDetails(event, truncator);
  const hasFrames = exceptions.some(({ frames }) => frames.length > 0);
  return { exceptions, threads: threadDetails(event, truncator, !hasFrames) };
}

/**
 * The exceptions of an event as a text to be copied: what was thrown first, its causes below, in
 * each stack the newest call first. Empty when the event has neither exceptions nor a stack.
 */
export function traceText({
  exceptions,
  threads,
}: Pick<EventDetails, 'exceptions' | 'threads'>): string {
  const thrown = exceptions.toReversed();
  const texts = thrown.map((one, index) => `${index > 0 ? 'Caused by: ' : ''}${textOf(one)}`);
  if (exceptions.some(({ frames }) => frames.length > 0)) return texts.join('\n');
  const stacks = threads.slice(0, 1).map(({ frames }) => stackText(frames));
  return [...texts, ...stacks].filter((text) => text !== '').join('\n');
}

/** `TypeError: x is undefined`; for an exception without either, its module. */
export function exceptionTitle({ type, value, module }: ExceptionDetails): string {
  const parts = [type, value].filter((part) => part !== null && part !== '');
  return parts.length === 0 ? (module ?? 'Unnamed exception') : parts.join(': ');
}

/** `src/shop.ts:12:5`; null when neither file nor module is known. */
export function frameLocation(frame: FrameDetails): string | null {
  const { filename, absPath, module, line, column } = frame;
  const file = filename ?? absPath ?? module;
  if (file === null) return null;
  if (line === null) return file;
  return column === null ? `${file}:${line}` : `${file}:${line}:${column}`;
}

function textOf(exception: ExceptionDetails): string {
  const title = exceptionTitle(exception);
  return exception.frames.length === 0 ? title : `${title}\n${stackText(exception.frames)}`;
}

function stackText(frames: readonly FrameDetails[]): string {
  const lines = frames.toReversed().map((frame) => {
    const location = frameLocation(frame);
    const name = frame.function ?? '(anonymous)';
    return location === null ? `    at ${name}` : `    at ${name} (${location})`;
  });
  return lines.join('\n');
}
