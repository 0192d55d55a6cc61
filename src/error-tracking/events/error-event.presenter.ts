import { ERROR_LEVELS } from '../error-values.js';
import type { EventNeighbours } from './error-events.repository.js';
import type { EventDetails } from './event-details.js';
import type {
  BreadcrumbResponse,
  ErrorEventResponse,
  EventDetailsResponse,
  EventOfErrorResponse,
  EventRequestResponse,
  EventUserResponse,
  EventFieldResponse,
  ExceptionResponse,
  FrameResponse,
  StackEntryResponse,
  StackTraceResponse,
  ThreadResponse,
} from './event.response.js';
import type { ListedEvent } from './stored-event.js';
import type { BreadcrumbDetails, EventRequest, EventUser } from './context-details.js';
import type { TextPair } from './truncator.js';
import {
  failedFrames,
  type ExceptionDetails,
  type FrameDetails,
  type ThreadDetails,
} from './trace-details.js';

/** An event as lists show it. */
export function presentErrorEvent(row: ListedEvent): ErrorEventResponse {
  return {
    event_id: row.eventId,
    error_id: row.errorId,
    title: row.title,
    date: row.occurredAt,
    date_received: row.receivedAt,
    level: ERROR_LEVELS[row.level] ?? 'error',
    environment: row.environment,
    release: row.release,
    user: row.userLabel,
  };
}

/** Returns an event with its details. */
export function presentEventDetails(row: ListedEvent, details: EventDetails): EventDetailsResponse {
  return {
    ...presentErrorEvent(row),
    message: details.message,
    platform: details.platform,
    logger: details.logger,
    dist: details.dist,
    server_name: details.serverName,
    transaction: details.transaction,
    sdk: details.sdk,
    exceptions: details.exceptions.map(presentException),
    threads: details.threads.map(presentThread),
    breadcrumbs: details.breadcrumbs.map(presentBreadcrumb),
    tags: details.tags.map(presentField),
    user_details: details.user && presentUser(details.user),
    request: details.request && presentRequest(details.request),
    contexts: Object.fromEntries(
      details.contexts.map(({ name, fields }) => [name, Object.fromEntries(fields)]),
    ),
    extra: Object.fromEntries(details.extra),
    modules: Object.fromEntries(details.modules),
    truncated: details.isCut,
    damaged: details.isDamaged,
  };
}

/** The same with the ids of the events before and after it. */
export function presentEventOfError(
  row: ListedEvent,
  details: EventDetails,
  { older, newer }: EventNeighbours,
): EventOfErrorResponse {
  return {
    ...presentEventDetails(row, details),
    previous_event_id: older,
    next_event_id: newer,
  };
}

/** Returns the stack trace of an event for clients of version 4. */
export function presentStackTrace(row: ListedEvent, details: EventDetails): StackTraceResponse {
  return {
    error_id: row.errorId,
    event_id: row.eventId,
    date_received: row.receivedAt,
    stack_trace_entries: failedFrames(details).map(presentStackEntry),
  };
}

function presentStackEntry(frame: FrameDetails): StackEntryResponse {
  return {
    lineNo: frame.line,
    colNo: frame.column,
    context: frame.context.filter(([, text]) => text.trim() !== ''),
    filename: frame.filename,
    abs_path: frame.absPath,
    function: frame.function,
  };
}

function presentException({ mechanism, ...exception }: ExceptionDetails): ExceptionResponse {
  return {
    type: exception.type,
    value: exception.value,
    module: exception.module,
    mechanism: mechanism && { type: mechanism.type, handled: mechanism.isHandled },
    frames: exception.frames.map(presentFrame),
  };
}

function presentThread(thread: ThreadDetails): ThreadResponse {
  return {
    id: thread.id,
    name: thread.name,
    crashed: thread.isCrashed,
    current: thread.isCurrent,
    frames: thread.frames.map(presentFrame),
  };
}

function presentFrame(frame: FrameDetails): FrameResponse {
  return {
    filename: frame.filename,
    abs_path: frame.absPath,
    function: frame.function,
    module: frame.module,
    lineno: frame.line,
    colno: frame.column,
    in_app: frame.isInApp,
    context: frame.context,
    vars: Object.fromEntries(frame.variables),
  };
}

function presentBreadcrumb({ at, data, ...crumb }: BreadcrumbDetails): BreadcrumbResponse {
  return {
    date: at,
    type: crumb.type,
    category: crumb.category,
    level: crumb.level,
    message: crumb.message,
    data: Object.fromEntries(data),
  };
}

function presentUser(user: EventUser): EventUserResponse {
  return {
    id: user.id,
    username: user.username,
    email: user.email,
    ip_address: user.ipAddress,
    other: Object.fromEntries(user.other),
  };
}

function presentRequest(request: EventRequest): EventRequestResponse {
  return {
    method: request.method,
    url: request.url,
    query: request.query.map(presentField),
    headers: request.headers.map(presentField),
    cookies: request.cookies.map(presentField),
    data: request.data,
    env: Object.fromEntries(request.env),
  };
}

function presentField([name, value]: TextPair): EventFieldResponse {
  return { name, value };
}
