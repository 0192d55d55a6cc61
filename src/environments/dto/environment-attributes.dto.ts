import { TextParam } from '../../core/params/params.decorator.js';
import { ENVIRONMENT_TIERS, type EnvironmentTier } from '../environment.entity.js';

/** What can be given both at creation and later. */
export class EnvironmentAttributesDto {
  /** Where the environment is reached: http or https, at most 255 characters; empty clears it. */
  @TextParam()
  external_url?: string | null;

  /** What the environment is for; guessed from the name at creation. */
  @TextParam({ values: ENVIRONMENT_TIERS })
  tier?: EnvironmentTier | null;
}
