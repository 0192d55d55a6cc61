import { InvalidParamsError } from '../../core/errors.js';
import { BooleanParam, DateTimeParam, IntegerParam } from '../../core/params/params.decorator.js';
import type { ErrorStatus } from '../error-values.js';
import type { StatusCondition } from './error-status.service.js';

/** More events make an ignored error one that is ignored forever. */
const MAX_IGNORED_EVENTS = 1_000_000;

/** Conditions that end a status. */
export class StatusConditionDto {
  /**
   * With `resolved`: only events of a release that is newer than all known ones reopen the error.
   * Releases are compared as semantic versions, others by the time of their first event.
   */
  @BooleanParam()
  in_next_release?: boolean | null;

  /** With `ignored`: the time at which the error is reopened. */
  @DateTimeParam()
  ignored_until?: Date | null;

  /** With `ignored`: the number of further events that reopen the error; at most 1,000,000. */
  @IntegerParam({ min: 1 })
  ignored_events?: number | null;
}

/** Returns the condition of a status; throws 400 for one that does not fit the status. */
export function conditionOf(
  status: ErrorStatus | null | undefined,
  dto: StatusConditionDto,
  now: Date,
): StatusCondition {
  const { ignored_until: until = null, ignored_events: events = null } = dto;
  const isIgnored = status === 'ignored';
  const problems = [
    dto.in_next_release && status !== 'resolved' && 'in_next_release is invalid',
    until && (!isIgnored || until <= now) && 'ignored_until is invalid',
    events && (!isIgnored || events > MAX_IGNORED_EVENTS) && 'ignored_events is invalid',
  ].filter((problem) => typeof problem === 'string');
  if (problems.length > 0) throw new InvalidParamsError(problems);
  return { inNextRelease: dto.in_next_release ?? false, until, events };
}
