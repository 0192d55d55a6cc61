import { TextParam } from '../../core/params/params.decorator.js';
import { EnvironmentAttributesDto } from './environment-attributes.dto.js';

/** Parameters of which a PUT of an environment needs at least one. */
export const UPDATABLE_ATTRIBUTES = ['external_url', 'name', 'tier'] as const;

/** PUT of an environment: at least one of these. */
export class UpdateEnvironmentDto extends EnvironmentAttributesDto {
  /** Unlike those of the project's others; at most 255 characters. The slug stays. */
  @TextParam()
  name?: string | null;
}
