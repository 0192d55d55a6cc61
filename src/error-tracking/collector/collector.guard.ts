import {
  applyDecorators,
  Injectable,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { GuardedBy } from '../../core/access/access.decorator.js';
import { guardValue } from '../../core/access/auth-context.js';
import { RawBody } from '../../core/http/raw-bodies.js';
import { clientAddress } from '../../core/http/request-address.js';
import { ClientKeyCache, type SourceLookup } from '../client-keys/client-key-cache.service.js';
import type { ErrorSource } from '../ingest/grouped-events.js';
import { CollectorLimits } from './collector-limits.service.js';
import { noCredentials, notFound, unreadable } from './ingest-error.js';

/** A program that reports to a project. */
export interface Reporter {
  /** Id or full path of the project, as the address has it. */
  project: string;
  /** Empty when the address and the headers have none: then it must be in the envelope. */
  key: string;
  /** null without a key. */
  source: ErrorSource | null;
}

const reporters = guardValue<Reporter>('ClientKeyGuard');

/**
 * Lets a report pass that names a valid key of its project, and one without any key to a project
 * that accepts errors. Sessions and tokens of users are ignored.
 */
@Injectable()
class ClientKeyGuard implements CanActivate {
  constructor(
    private readonly keys: ClientKeyCache,
    private readonly limits: CollectorLimits,
  ) {}

  canActivate(context: ExecutionContext): true | Promise<true> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    const project = String(request.params['project']);
    const key = givenKey(request);
    const source = this.keys.findCached(project, key);
    // Most reports: without a promise.
    if (source === null) return this.decide({ project, key }, request, response);
    reporters.keep(response, { project, key, source });
    return true;
  }

  private async decide(
    { project, key }: Omit<Reporter, 'source'>,
    request: Request,
    response: Response,
  ): Promise<true> {
    const found = await this.find(project, key, request);
    const source = found.kind === 'no key' ? null : openSource(found);
    reporters.keep(response, { project, key, source });
    return true;
  }

  /** Invalid keys count against the address: each costs a query. */
  private async find(project: string, key: string, { ip }: Request): Promise<SourceLookup> {
    const address = clientAddress(ip);
    if (!this.keys.isCached(project, key)) this.limits.refuseGuessing(address);
    const found = await this.keys.find(project, key);
    const isGuess = found.kind === 'closed' || found.kind === 'no project';
    if (isGuess) await this.limits.countRequest(`address:${address}`);
    return found;
  }
}

/** Returns the source that a good key opens. Throws 400 without a key, 404 for all else. */
export function openSource(found: SourceLookup): ErrorSource {
  if (found.kind === 'open') return found.source;
  if (found.kind === 'no key') throw noCredentials();
  throw notFound(found.kind === 'no project' ? '404 Project Not Found' : '404 Not Found');
}

/** A report to the project in the path parameter `project`, by one of its client keys. */
export const ErrorReport = (): MethodDecorator =>
  applyDecorators(RawBody(), GuardedBy('report_errors', ClientKeyGuard));

/** The program that ErrorReport let pass: `envelope(@CurrentReporter() reporter: Reporter)`. */
export const CurrentReporter = reporters.Current;

interface GivenKeys {
  /** The parsed query of the request. */
  query: Record<string, unknown>;
  headers: { 'x-sentry-auth'?: string | string[]; authorization?: string };
}

const SCHEME = /^\s*Sentry\s+/i;

/**
 * The client key that a request names in its query, in `X-Sentry-Auth` or in `Authorization: Sentry`;
 * empty when it names none. Throws 400 when they disagree.
 */
export function givenKey({ query, headers }: GivenKeys): string {
  const inQuery = query['sentry_key'];
  const named = [
    typeof inQuery === 'string' ? inQuery : '',
    keyOf(String(headers['x-sentry-auth'] ?? ''), true),
    keyOf(headers.authorization ?? '', false),
  ];
  return oneOf(named);
}

/** The only key among them, or an empty text; throws 400 for two different ones. */
export function oneOf(keys: readonly string[]): string {
  const [key = '', ...others] = new Set(keys.filter((one) => one !== ''));
  if (others.length > 0) throw unreadable('conflicting credentials');
  return key;
}

/** `Sentry sentry_version=7, sentry_key=K`: pairs in any order, the scheme word in any case. */
function keyOf(header: string, mayLackScheme: boolean): string {
  if (!mayLackScheme && !SCHEME.test(header)) return '';
  for (const pair of header.replace(SCHEME, '').split(',')) {
    const [name = '', value = ''] = pair.split('=', 2);
    if (name.trim() === 'sentry_key') return value.trim();
  }
  return '';
}
