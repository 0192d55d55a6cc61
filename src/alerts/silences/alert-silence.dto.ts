import {
  BooleanParam,
  DateTimeParam,
  HashListParam,
  TextParam,
} from '../../core/params/params.decorator.js';
import {
  MATCHER_NAMES,
  SILENCE_STATES,
  type MatcherName,
  type SilenceState,
} from './alert-silences.repository.js';

const MAX_MATCHERS = 10;
/** An escaped title can be twice as long as the longest. */
export const MAX_VALUE = 510;
export const MAX_COMMENT = 1_000;

/** Filters of silences. */
export class ListSilencesDto {
  /** Only silences in this state. */
  @TextParam({ values: SILENCE_STATES })
  state?: SilenceState | null;
}

/** Condition on one attribute of an alert. */
export class MatcherDto {
  /** Attribute: `title`, `environment`, `severity` or `fingerprint`. */
  @TextParam({ required: true, values: MATCHER_NAMES })
  name: MatcherName;

  /** Value of the attribute, case-sensitive; `*` stands for any text, `\*` for an asterisk. */
  @TextParam({ required: true, allowEmpty: false, maxLength: MAX_VALUE })
  value: string;

  /** False for alerts whose attribute does not match; true by default. */
  @BooleanParam()
  is_equal?: boolean | null;
}

/**
 * POST of a silence.
 * @example {
 *   "matchers": [
 *     { "name": "title", "value": "Disk full on *" },
 *     { "name": "environment", "value": "production", "is_equal": false }
 *   ],
 *   "ends_at": "2030-05-04T18:00:00Z",
 *   "comment": "Disks are being replaced"
 * }
 */
export class CreateSilenceDto {
  /** Conditions, all of which an alert must meet; at most 10. */
  @HashListParam(() => MatcherDto, { required: true, maxItems: MAX_MATCHERS })
  matchers: MatcherDto[];

  /** Start of the silence; now by default. */
  @DateTimeParam()
  starts_at?: Date | null;

  /** End of the silence: in the future, at most a year after its start. */
  @DateTimeParam({ required: true })
  ends_at: Date;

  /** Reason for the silence. */
  @TextParam({ required: true, allowEmpty: false, maxLength: MAX_COMMENT })
  comment: string;
}

/** Parameters of which a PUT of a silence needs at least one. */
export const SILENCE_ATTRIBUTES = ['matchers', 'starts_at', 'ends_at', 'comment'] as const;

/** PUT of a silence: at least one of these. */
export class UpdateSilenceDto {
  /** Conditions, all of which an alert must meet; at most 10. */
  @HashListParam(() => MatcherDto, { maxItems: MAX_MATCHERS })
  matchers?: MatcherDto[] | null;

  /** Start of a silence that has not started yet; that of an active one cannot be changed. */
  @DateTimeParam()
  starts_at?: Date | null;

  /** End of the silence: in the future, at most a year after its start. */
  @DateTimeParam()
  ends_at?: Date | null;

  /** Reason for the silence. */
  @TextParam({ allowEmpty: false, maxLength: MAX_COMMENT })
  comment?: string | null;
}
