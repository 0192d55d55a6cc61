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
} from './surroundings.js';
import { TextBounds, type TextPair } from './text-bounds.js';
import {
  exceptionDetails,
  threadDetails,
  type ExceptionDetails,
  type ThreadDetails,
} from './trace-details.js';

/** SDK that sent an event. */
export interface SdkDetails {
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

/** An event for people and programs; a `payload` of null is one that could not be unpacked. */
export function eventDetails(row: StoredBeside, payload: JsonObject | null): EventDetails {
  const bounds = new TextBounds();
  const event = payload ?? {};
  const details = {
    ...keptBeside(row),
    ...namesOf(event, bounds),
    ...tracesOf(event, bounds),
    breadcrumbs: breadcrumbDetails(event, bounds),
    tags: bounds.pairs(tagsOf(event)),
    user: userDetails(event, bounds, row.clientAddress),
    request: requestDetails(event, bounds),
    contexts: contextDetails(event, bounds),
    extra: bounds.pairs(event.extra),
    modules: bounds.pairs(event.modules),
  };
  return { ...details, isCut: bounds.isCut, isDamaged: payload === null };
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

function namesOf(event: JsonObject, bounds: TextBounds) {
  return {
    message: bounds.text(messageOf(event)?.text),
    platform: bounds.text(event.platform) ?? 'other',
    logger: bounds.text(event.logger),
    dist: bounds.text(event.dist),
    serverName: bounds.text(event.server_name),
    transaction: bounds.text(event.transaction),
    sdk: sdkOf(event, bounds),
  };
}

function sdkOf(event: JsonObject, bounds: TextBounds): SdkDetails | null {
  const sdk = objectOf(event.sdk);
  const name = bounds.text(sdk?.name);
  return name === null ? null : { name, version: bounds.text(sdk?.version) };
}

function tracesOf(event: JsonObject, bounds: TextBounds) {
  const exceptions = exceptionDetails(event, bounds);
  const hasFrames = exceptions.some(({ frames }) => frames.length > 0);
  return { exceptions, threads: threadDetails(event, bounds, !hasFrames) };
}
