import { TextParam } from '../../core/params/params.decorator.js';
import { MilestoneAttributesDto } from './milestone-attributes.dto.js';

/** POST of a milestone. */
export class CreateMilestoneDto extends MilestoneAttributesDto {
  /** Unlike those of the project's others; at most 255 characters. */
  @TextParam({ required: true })
  title: string;
}
