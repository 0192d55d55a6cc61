import { TextParam, ValueAsSent } from '../../../core/params/params.decorator.js';
import { MAPPING_TYPES, type MappingType, type PayloadPath } from '../../parsing/incoming-alert.js';
import { FIELD_NAMES } from '../rules/field-mappings.js';

/** One line of a custom mapping; it has no other keys. */
export class FieldMappingDto {
  /** The alert's field that is filled; GITLAB_ENVIRONMENT_NAME is taken for SVC_ENVIRONMENT_NAME. */
  @TextParam({ required: true, values: FIELD_NAMES })
  field_name: string;

  /**
   * Steps to the value in the payload: names of members as texts, positions in lists as integers.
   * In a form, where all is text, a path with positions is one JSON text.
   * @example ["alerts", 0, "labels", "alertname"]
   */
  @ValueAsSent({ kind: 'list', of: 'text or integer', required: true, maxItems: 100 })
  path: PayloadPath;

  /** What the value is, for people: nothing is converted or refused by it. */
  @TextParam({ required: true, values: MAPPING_TYPES })
  type: MappingType;

  /** What people call the value. */
  @TextParam({ maxLength: 255 })
  label?: string | null;
}

/** The words of a payload that say that the problem is over. */
export class ResolvedWhenDto {
  /**
   * Steps to the word, as in a mapping.
   * @example ["event", "state"]
   */
  @ValueAsSent({ kind: 'list', of: 'text or integer', required: true, maxItems: 100 })
  path: PayloadPath;

  /**
   * Any of these, in any case.
   * @example ["recovered", "ok"]
   */
  @ValueAsSent({ kind: 'list', of: 'text', required: true, maxItems: 20 })
  values: string[];
}
