import { ConfigError } from '../config/env.js';
import { ApiError, type ErrorBody } from '../core/errors.js';
import { CliError } from './cli.js';

const UNDEFINED_TABLE = '42P01';
const UNREACHABLE = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'ENOENT']);

/** Returns the error as one line (one line per configuration error). */
export function describeFailure(error: unknown): string {
  if (error instanceof CliError || error instanceof ConfigError) return error.message;
  if (error instanceof ApiError) return describeRefusal(error.body);
  // Trying several addresses of one host fails with one error that holds all of them.
  if (error instanceof AggregateError && error.errors.length > 0) {
    return describeFailure(error.errors[0]);
  }
  if (!(error instanceof Error)) return String(error);
  const { code } = error as Error & { code?: unknown };
  if (code === UNDEFINED_TABLE) return 'the database is not migrated yet: run `guildhall migrate`';
  const [line = ''] = error.message.split('\n');
  return UNREACHABLE.has(String(code)) ? `a service cannot be reached: ${line}` : line;
}

/** The API's refusals without their status: `username is a reserved name; email is invalid`. */
function describeRefusal({ message, error }: ErrorBody): string {
  if (typeof message === 'string') return message.replace(/^\d{3} (\(Bad request\)|[\w ]+ -) /, '');
  if (typeof message !== 'object' || message === null) return String(error);
  return Object.entries(message)
    .map(([attribute, problems]) => `${attribute} ${[problems].flat().join(', ')}`)
    .join('; ');
}
