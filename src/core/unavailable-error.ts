import { QueryRunnerAlreadyReleasedError, QueryRunnerProviderAlreadyReleasedError } from 'typeorm';
import { ApiError, BadRequestError, UnavailableError } from './errors.js';

const RETRY_SOON_SECONDS = 1;
const RETRY_LATER_SECONDS = 5;

/** Values that PostgreSQL cannot take: numbers out of range, text with NUL or bad encoding. */
const UNUSABLE_VALUE = new Set(['22003', '22007', '22008', '22021', '22P02', '22P05']);

/**
 * Another transaction was in the way, or ours stood still for too long; the same request will do a
 * moment later.
 */
const COLLISION = new Set(['40001', '40P01', '55P03', '25P03']);

/** The server is starting, stopping, full or out of reach. */
const OUT_OF_REACH = new Set([
  '53300',
  '57P01',
  '57P02',
  '57P03',
  '08000',
  '08003',
  '08006',
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EPIPE',
  'ENOTFOUND',
  'ETIMEDOUT',
]);

/** Messages of pg for connections that broke during a statement; these errors have no code. */
const BROKEN_CONNECTION =
  /^(?:Connection terminated|Client has encountered a connection error|Client was closed)/;

/** Errors of TypeORM for connections that broke between two statements of a transaction. */
const LOST_TRANSACTION = [QueryRunnerAlreadyReleasedError, QueryRunnerProviderAlreadyReleasedError];

/**
 * The answer for an error of the database that no service has given a meaning, or null when the
 * error is none of those: cancelled by the statement timeout and pool exhausted are 503.
 */
export function toUnavailableError(error: unknown): ApiError | null {
  if (!(error instanceof Error)) return null;
  const code = (error as { code?: unknown }).code;
  if (code === '57014') return statementTimeout();
  if (error.message.startsWith('timeout exceeded when trying to connect')) {
    return new UnavailableError(RETRY_SOON_SECONDS);
  }
  const isBroken = LOST_TRANSACTION.some((type) => error instanceof type);
  if (isBroken || BROKEN_CONNECTION.test(error.message))
    return new UnavailableError(RETRY_LATER_SECONDS);
  if (typeof code !== 'string') return null;
  if (UNUSABLE_VALUE.has(code)) return new BadRequestError('a value cannot be stored');
  if (COLLISION.has(code)) return new UnavailableError(RETRY_SOON_SECONDS);
  return OUT_OF_REACH.has(code) || endsSession(error)
    ? new UnavailableError(RETRY_LATER_SECONDS)
    : null;
}

/** PostgreSQL refuses connections (maintenance, changed passwords) or ends the session. */
function endsSession(error: Error): boolean {
  const { severity } = error as { severity?: unknown };
  return severity === 'FATAL' || severity === 'PANIC';
}

function statementTimeout(): ApiError {
  const message = '503 Service Unavailable - the query took too long, ask for less at once';
  return new ApiError(503, { message });
}
