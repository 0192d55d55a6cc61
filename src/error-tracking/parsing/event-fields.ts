import {
  booleanOf,
  compactJson,
  integerOf,
  type JsonObject,
  objectOf,
  objectsIn,
  pairsOf,
  textOf,
  withoutMiddle,
} from './json-values.js';

/** More of them are left out, in the middle: an event of 1 MiB could hold 100,000. */
export const FIELD_LIMITS = { exceptions: 50, frames: 250, breadcrumbs: 200, tags: 200 } as const;

/** Whatever has a `stacktrace`: an exception, a thread. */
export interface Traced {
  raw: JsonObject;
}

export interface ExceptionFields extends Traced {
  type: string | null;
  /** Anything but a text is given as compact JSON. */
  value: string | null;
  module: string | null;
  mechanism: MechanismFields | null;
}

export interface MechanismFields {
  type: string | null;
  isHandled: boolean | null;
  /** Whether the type is a name that the SDK made up. */
  isSynthetic: boolean;
}

export interface FrameFields {
  filename: string | null;
  absPath: string | null;
  function: string | null;
  module: string | null;
  package: string | null;
  line: number | null;
  column: number | null;
  isInApp: boolean | null;
  contextLine: string | null;
  raw: JsonObject;
}

export interface ThreadFields extends Traced {
  id: string | null;
  name: string | null;
  isCrashed: boolean;
  isCurrent: boolean;
}

export interface MessageFields {
  /** With the values in it. */
  text: string;
  /** What was formatted; null when the SDK does not tell. */
  template: string | null;
}

export interface UserFields {
  id: string | null;
  username: string | null;
  email: string | null;
  /** As sent: may be `{{auto}}`. */
  ipAddress: string | null;
  other: [string, unknown][];
}

export interface RequestFields {
  method: string | null;
  url: string | null;
  /** A text, a map or a list of pairs. */
  query: unknown;
  cookies: unknown;
  headers: [string, unknown][];
  data: unknown;
  env: [string, unknown][];
}

export interface BreadcrumbFields {
  /** Seconds since 1970 or a text, as sent. */
  timestamp: unknown;
  type: string | null;
  category: string | null;
  level: string | null;
  message: string | null;
  data: [string, unknown][];
}

/** Exceptions as sent: the oldest cause first, what was thrown in the end last. */
export function exceptionsOf(event: JsonObject): ExceptionFields[] {
  const sent = objectsIn(event.exception);
  return withoutMiddle(sent, FIELD_LIMITS.exceptions).map((raw) => ({
    type: textOf(raw.type),
    value: textOf(raw.value) ?? compactJson(raw.value),
    module: textOf(raw.module),
    mechanism: mechanismOf(raw.mechanism),
    raw,
  }));
}

function mechanismOf(value: unknown): MechanismFields | null {
  const raw = objectOf(value);
  if (raw === null) return null;
  return {
    type: textOf(raw.type),
    isHandled: booleanOf(raw.handled),
    isSynthetic: raw.synthetic === true,
  };
}

/** Frames of an exception or a thread, the call that failed last. */
export function framesOf({ raw }: Traced): FrameFields[] {
  const stack = objectOf(raw.stacktrace) ?? objectOf(raw.raw_stacktrace);
  if (stack === null || !Array.isArray(stack.frames)) return [];
  return withoutMiddle<unknown>(stack.frames, FIELD_LIMITS.frames).flatMap((value) => {
    const frame = objectOf(value);
    return frame === null ? [] : [frameOf(frame)];
  });
}

function frameOf(raw: JsonObject): FrameFields {
  return {
    filename: textOf(raw.filename),
    absPath: textOf(raw.abs_path),
    // SDKs write this where there is no name.
    function: raw.function === '?' ? null : textOf(raw.function),
    module: textOf(raw.module),
    package: textOf(raw.package),
    line: integerOf(raw.lineno),
    column: integerOf(raw.colno),
    isInApp: booleanOf(raw.in_app),
    contextLine: textOf(raw.context_line),
    raw,
  };
}

/** Lines of source before and after the line of a frame; blank ones are '' so that they count. */
export function linesAround({ raw }: FrameFields): { before: string[]; after: string[] } {
  const lines = (value: unknown): string[] =>
    Array.isArray(value) ? value.map((line) => textOf(line) ?? '') : [];
  return { before: lines(raw.pre_context), after: lines(raw.post_context) };
}

/** Local variables of a frame, as sent. */
export function variablesOf({ raw }: FrameFields): [string, unknown][] {
  return pairsOf(raw.vars);
}

export function threadsOf(event: JsonObject): ThreadFields[] {
  const sent = objectsIn(event.threads);
  return withoutMiddle(sent, FIELD_LIMITS.exceptions).map((raw) => ({
    id: textOf(raw.id),
    name: textOf(raw.name),
    isCrashed: raw.crashed === true,
    isCurrent: raw.current === true,
    raw,
  }));
}

/** The thread that crashed, else the current one; its frames count when no exception has any. */
export function failedThread(event: JsonObject): ThreadFields | null {
  const threads = threadsOf(event);
  return (
    threads.find((thread) => thread.isCrashed) ??
    threads.find((thread) => thread.isCurrent) ??
    (threads.length === 1 ? (threads[0] ?? null) : null)
  );
}

/** The message: `logentry` before `message`, each a text or `{message, formatted, params}`. */
export function messageOf(event: JsonObject): MessageFields | null {
  return messageIn(event.logentry) ?? messageIn(event.message);
}

function messageIn(value: unknown): MessageFields | null {
  const object = objectOf(value);
  if (object === null) {
    const text = textOf(value);
    return text === null || text.trim() === '' ? null : { text, template: null };
  }
  const template = textOf(object.message);
  const text = textOf(object.formatted) ?? template;
  if (text === null) return null;
  return { text, template: template === text && object.params == null ? null : template };
}

/** Tags that the program set, values as texts; those without a value are left out. */
export function tagsOf(event: JsonObject): [string, string][] {
  const sent = Array.isArray(event.tags) ? event.tags.slice(0, FIELD_LIMITS.tags) : event.tags;
  return pairsOf(sent)
    .slice(0, FIELD_LIMITS.tags)
    .flatMap(([key, value]): [string, string][] => {
      const text = textOf(value);
      return key === '' || text === null ? [] : [[key, text]];
    });
}

const USER_FIELDS: ReadonlySet<string> = new Set(['id', 'username', 'email', 'ip_address']);

export function userOf(event: JsonObject): UserFields | null {
  const user = objectOf(event.user);
  if (user === null) return null;
  return {
    id: textOf(user.id),
    username: textOf(user.username),
    email: textOf(user.email),
    ipAddress: textOf(user.ip_address),
    other: pairsOf(user).filter(([name]) => !USER_FIELDS.has(name)),
  };
}

export function requestOf(event: JsonObject): RequestFields | null {
  const request = objectOf(event.request);
  if (request === null) return null;
  return {
    method: textOf(request.method),
    url: textOf(request.url),
    query: request.query_string,
    cookies: request.cookies,
    headers: pairsOf(request.headers),
    data: request.data,
    env: pairsOf(request.env),
  };
}

/** What happened before, the newest last. */
export function breadcrumbsOf(event: JsonObject): BreadcrumbFields[] {
  const sent = objectsIn(event.breadcrumbs);
  return sent.slice(-FIELD_LIMITS.breadcrumbs).map((crumb) => ({
    timestamp: crumb.timestamp,
    type: textOf(crumb.type),
    category: textOf(crumb.category),
    level: textOf(crumb.level),
    message: textOf(crumb.message),
    data: pairsOf(crumb.data),
  }));
}

/** What is known of the surroundings by name: `os`, `runtime`, `browser`, … */
export function contextsOf(event: JsonObject): [string, JsonObject][] {
  return pairsOf(objectOf(event.contexts)).flatMap(([name, value]): [string, JsonObject][] => {
    const context = objectOf(value);
    return context === null ? [] : [[name, context]];
  });
}
