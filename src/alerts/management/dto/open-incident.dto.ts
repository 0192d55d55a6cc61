import { IntegerParam } from '../../../core/params/params.decorator.js';

/** POST of an alert's issue. */
export class OpenIncidentDto {
  /** Number of an issue of the project to link instead of opening an incident. */
  @IntegerParam()
  issue_iid?: number | null;
}
