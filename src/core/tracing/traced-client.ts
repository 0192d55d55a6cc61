import pg from 'pg';
import type { Span } from '@opentelemetry/api';
import { endFailed, startClientSpan } from './tracing.js';

/** Longer statements are cut off. */
const MAX_TEXT = 4_000;

type Callback = (error: Error | null, result: unknown) => void;

/** A connection whose statements are spans. Their texts have placeholders; values are left out. */
export class TracedClient extends pg.Client {
  override query = ((...args: unknown[]): unknown => {
    const query = super.query.bind(this) as (...given: unknown[]) => unknown;
    const span = startStatement(args[0], this.database);
    if (span === null) return query(...args);
    const callback = args.at(-1);
    if (typeof callback === 'function') {
      return query(...args.slice(0, -1), ended(span, callback as Callback));
    }
    const result = query(...args);
    if (result instanceof Promise) {
      result.then(
        () => span.end(),
        (error: unknown) => endFailed(span, error),
      );
    } else {
      // The result is a stream of rows: the span covers sending the statement only.
      span.end();
    }
    return result;
  }) as pg.Client['query'];
}

function startStatement(query: unknown, database: string | undefined): Span | null {
  const text = typeof query === 'string' ? query : ((query as { text?: string }).text ?? '');
  const operation = /^\s*(\w+)/.exec(text)?.[1]?.toUpperCase() ?? 'QUERY';
  return startClientSpan(operation, {
    'db.system.name': 'postgresql',
    'db.namespace': database ?? '',
    'db.operation.name': operation,
    'db.query.text': text.slice(0, MAX_TEXT),
  });
}

function ended(span: Span, callback: Callback): Callback {
  return (error, result) => {
    if (error === null) span.end();
    else endFailed(span, error);
    callback(error, result);
  };
}
