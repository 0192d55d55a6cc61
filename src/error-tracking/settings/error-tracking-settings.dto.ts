import { toBoolean } from '../../core/params/coerce.js';
import { BooleanParam, declare } from '../../core/params/params.decorator.js';

/** Stands for a switch that was named without a value. */
const EMPTY = Symbol('empty parameter');

/** PATCH of the error tracking settings: whether it is on, and, where that changes, who does it. */
export class UpdateErrorTrackingDto {
  /** Enables error tracking with the configured backend. */
  @RequiredSwitch()
  active: boolean;

  /** True for the built-in backend, false for an external tracker; true by default. */
  @BooleanParam()
  integrated?: boolean | null;
}

/** PUT of the error tracking settings: both are required. */
export class ReplaceErrorTrackingDto {
  /** Enables error tracking with the configured backend. */
  @RequiredSwitch()
  active: boolean;

  /** True for the built-in backend, false for an external tracker. */
  @RequiredSwitch()
  integrated: boolean;
}

/** Unlike `BooleanParam` it distinguishes an empty value from a missing one. */
function RequiredSwitch(): PropertyDecorator {
  return declare(
    { kind: 'boolean', required: true },
    (value) => (value === '' || value === null ? EMPTY : toBoolean(value)),
    (value) => (value === EMPTY ? 'is empty' : null),
  );
}
