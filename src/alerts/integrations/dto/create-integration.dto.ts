import { BooleanParam, TextParam, ValueAsSent } from '../../../core/params/params.decorator.js';
import type { JsonObject } from '../../parsing/incoming-alert.js';
import { IntegrationTypeParam, type WireType } from '../integration-types.js';
import { FieldMappingDto, ResolvedWhenDto } from './field-mapping.dto.js';

/** What may be set at creation and changed later. */
export class IntegrationAttributesDto {
  /**
   * An http or https address of at most 1,024 characters. PROMETHEUS: where the monitoring is, a
   * placeholder will do; EXTERNAL_PAGING: where the alerts are; needed for both. HTTP has none.
   */
  @TextParam()
  api_url?: string | null;

  /**
   * A payload as the tool sends it, as a JSON object or as text of one; null for none. HTTP only.
   * @example {"alert": {"name": "Disk full"}}
   */
  @ValueAsSent({ kind: 'json' })
  payload_example?: JsonObject | string | null;

  /** Where the tool's payload has what an alert needs; [] for the plain format alone. HTTP only. */
  @ValueAsSent({ kind: 'hashes', maxItems: 10, type: () => FieldMappingDto })
  payload_attribute_mappings?: FieldMappingDto[] | null;

  /** For tools that tell by a word, not by a time, that a problem is over. HTTP only. */
  @ValueAsSent({ kind: 'hash', type: () => ResolvedWhenDto })
  resolved_when?: ResolvedWhenDto | null;
}

/**
 * Parameters of a new integration.
 * @example {
 *   "name": "Disk watch",
 *   "active": true,
 *   "type": "HTTP",
 *   "payload_example": { "alert": { "name": "Disk full" } },
 *   "payload_attribute_mappings": [
 *     { "field_name": "TITLE", "path": ["alert", "name"], "type": "STRING" }
 *   ],
 *   "resolved_when": { "path": ["event", "state"], "values": ["recovered", "ok"] }
 * }
 */
export class CreateIntegrationDto extends IntegrationAttributesDto {
  /** What the integration is called; part of its webhook's address. */
  @TextParam({ required: true, allowEmpty: false, maxLength: 255 })
  name: string;

  /** Whether its webhook takes alerts. Active external paging turns all others off. */
  @BooleanParam({ required: true })
  active: boolean;

  /** Cannot be changed later; HTTP when absent. In any case. */
  @IntegrationTypeParam()
  type?: WireType | null;
}
