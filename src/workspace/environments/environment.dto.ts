import { TextParam } from '../../core/params/params.decorator.js';
import { ENVIRONMENT_TIERS, type EnvironmentTier } from './environments.repository.js';

/** States that a list accepts; no environment is ever `stopping` here. */
const LISTED_STATES = ['available', 'stopping', 'stopped'] as const;

/** Filters of environments. */
export class ListEnvironmentsDto {
  /** Environment with exactly this name; not together with `search`. */
  @TextParam()
  name?: string | null;

  /** Text of at least three characters in the name; not together with `name`. */
  @TextParam()
  search?: string | null;

  /** Only environments in this state. */
  @TextParam({ values: LISTED_STATES })
  states?: (typeof LISTED_STATES)[number] | null;
}

/** Attributes that can be given at creation and later. */
class EnvironmentAttributesDto {
  /** URL of the environment: http or https, at most 255 characters; empty clears it. */
  @TextParam()
  external_url?: string | null;

  /** Tier of the environment; guessed from its name by default. */
  @TextParam({ values: ENVIRONMENT_TIERS })
  tier?: EnvironmentTier | null;
}

/** POST of an environment. */
export class CreateEnvironmentDto extends EnvironmentAttributesDto {
  /** Unique in the project; at most 255 characters. */
  @TextParam({ required: true })
  name: string;
}

/** Parameters of which a PUT of an environment needs at least one. */
export const UPDATABLE_ATTRIBUTES = ['external_url', 'name', 'tier'] as const;

/** PUT of an environment: at least one of these. */
export class UpdateEnvironmentDto extends EnvironmentAttributesDto {
  /** Unique in the project; at most 255 characters. The slug is kept. */
  @TextParam()
  name?: string | null;
}
