import {
  applyDecorators,
  createParamDecorator,
  Injectable,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import type { Request } from 'express';
import { GuardedBy } from '../../core/access/access.decorator.js';
import { RawBody } from '../../core/http/raw-body-routes.js';
import { clientAddress } from '../../core/rate-limits/client-address.js';
import { ClientKeyCache, type SourceLookup } from '../client-keys/client-key-cache.service.js';
import type { ErrorSource } from '../ingest/error-source.js';
import { CollectorLimits } from './collector-limits.service.js';
import { noCredentials, notFound } from './ingest-error.js';
import { givenKey } from './sentry-auth.js';

/** A program that reports to a project. */
export interface Reporter {
  /** Id or full path of the project, as the address has it. */
  project: string;
  /** Empty when the address and the headers have none: then it must be in the envelope. */
  key: string;
  /** null without a key. */
  source: ErrorSource | null;
}

const reporters = new WeakMap<Request, Reporter>();

/**
 * Lets a report pass that names a good key of its project, and one without any key to a project that
 * takes errors. Sessions and tokens of users mean nothing here.
 */
@Injectable()
export class ClientKeyGuard implements CanActivate {
  constructor(
    private readonly keys: ClientKeyCache,
    private readonly limits: CollectorLimits,
  ) {}

  async canActivate(context: ExecutionContext): Promise<true> {
    const request = context.switchToHttp().getRequest<Request>();
    const project = String(request.params['project']);
    const key = givenKey(request);
    const found = await this.find(project, key, request);
    const source = found.kind === 'no key' ? null : openSource(found);
    reporters.set(request, { project, key, source });
    return true;
  }

  /** Keys that are not good count against the address: each costs a query. */
  private async find(project: string, key: string, { ip }: Request): Promise<SourceLookup> {
    const address = clientAddress(ip);
    if (!this.keys.knows(project, key)) this.limits.refuseGuessing(address);
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
export const CurrentReporter = createParamDecorator(
  (_: unknown, context: ExecutionContext): Reporter => {
    const reporter = reporters.get(context.switchToHttp().getRequest<Request>());
    if (reporter === undefined) throw new Error('@CurrentReporter needs @ErrorReport on the route');
    return reporter;
  },
);
