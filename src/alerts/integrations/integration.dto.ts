import { BooleanParam, TextParam, ValueAsSent } from '../../core/params/params.decorator.js';
import {
  MAPPING_TYPES,
  type JsonObject,
  type MappingType,
  type PayloadPath,
} from '../parsing/incoming-alert.js';
import { IntegrationTypeParam, type WireType } from './integration-types.js';
import { FIELD_NAMES } from './rules/field-mappings.js';

/** Filters of the list of integrations. */
export class ListIntegrationsDto {
  /** Only integrations of this type. */
  @IntegrationTypeParam()
  type?: WireType | null;
}

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

  /** Type of the value, for display: values are neither converted nor validated. */
  @TextParam({ required: true, values: MAPPING_TYPES })
  type: MappingType;

  /** Display name of the value. */
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

/** Attributes of an integration for create and update. */
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
  /** Name of the integration; part of its webhook URL. */
  @TextParam({ required: true, allowEmpty: false, maxLength: 255 })
  name: string;

  /** Enables the webhook. Active external paging deactivates all other integrations. */
  @BooleanParam({ required: true })
  active: boolean;

  /** Cannot be changed later; HTTP when absent. In any case. */
  @IntegrationTypeParam()
  type?: WireType | null;
}

/**
 * PUT of an integration: what is left out stays. The key is not among them: it is reset.
 * @example {
 *   "name": "Disk watch",
 *   "active": false,
 *   "payload_attribute_mappings": [
 *     { "field_name": "TITLE", "path": ["alert", "name"], "type": "STRING" }
 *   ]
 * }
 */
export class UpdateIntegrationDto extends IntegrationAttributesDto {
  /** Name of the integration. Earlier webhook URLs stay valid. */
  @TextParam({ allowEmpty: false, maxLength: 255 })
  name?: string | null;

  /** Enables the webhook. Active external paging deactivates all other integrations. */
  @BooleanParam()
  active?: boolean | null;

  /** Only the type that it has. */
  @IntegrationTypeParam()
  type?: WireType | null;
}
