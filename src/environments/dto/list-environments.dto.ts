import { TextParam } from '../../core/params/params.decorator.js';

/** States that a list may ask for; nothing is ever `stopping` here. */
const LISTED_STATES = ['available', 'stopping', 'stopped'] as const;

/** Filters of environments. */
export class ListEnvironmentsDto {
  /** The environment with exactly this name; not together with `search`. */
  @TextParam()
  name?: string | null;

  /** Text of at least three characters in the name; not together with `name`. */
  @TextParam()
  search?: string | null;

  /** Only environments in this state. */
  @TextParam({ values: LISTED_STATES })
  states?: (typeof LISTED_STATES)[number] | null;
}
