import { ValueAsSent } from '../../../core/params/params.decorator.js';
import type { JsonObject } from '../../parsing/incoming-alert.js';

/** The payload in which fields are looked for. */
export class PayloadFieldsDto {
  /**
   * A payload as a tool sends it, as a JSON object or as text of one.
   * @example {"alert": {"name": "Disk full"}}
   */
  @ValueAsSent({ kind: 'json', required: true })
  payload_example: JsonObject | string;
}
