import { BooleanParam, TextParam, ValueAsSent } from '../../core/params/params.decorator.js';
import {
  MAPPING_TYPES,
  type JsonObject,
  type MappingType,
  type PayloadPath,
} from '../parsing/incoming-alert.js';
import { IntegrationTypeParam, type WireType } from './integration-attributes.js';
import { FIELD_NAMES } from './mapping-rules.js';

/** Filters of the list of integrations. */
export class ListIntegrationsDto {
  /** Only integrations of this type. */
  @IntegrationTypeParam()
  type?: WireType | null;
}

/** One line of a custom mapping; it has no other keys. */
export class FieldMappingDto {
  /** Target field of the alert; GITLAB_ENVIRONMENT_NAME is an alias of SVC_ENVIRONMENT_NAME. */
  @TextParam({ required: true, values: FIELD_NAMES })
  field_name: string;

  /**
   * Path to the value in the payload: keys as strings, list positions as integers. In a form, a
   * path with positions is one JSON text.
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

/** Recovery condition of a custom mapping. */
export class ResolvedWhenDto {
  /**
   * Path to the value, as in a mapping.
   * @example ["event", "state"]
   */
  @ValueAsSent({ kind: 'list', of: 'text or integer', required: true, maxItems: 100 })
  path: PayloadPath;

  /**
   * Values that mean recovery, case-insensitive.
   * @example ["recovered", "ok"]
   */
  @ValueAsSent({ kind: 'list', of: 'text', required: true, maxItems: 20 })
  values: string[];
}

/** Attributes of an integration for create and update. */
export class IntegrationAttributesDto {
  /**
   * http or https URL of at most 1,024 characters. PROMETHEUS: URL of the monitoring tool or a
   * placeholder; EXTERNAL_PAGING: URL of the alerts; required for both. HTTP has none.
   */
  @TextParam()
  api_url?: string | null;

  /**
   * Sample payload of the tool, as a JSON object or its text; null for none. HTTP only.
   * @example {"alert": {"name": "Disk full"}}
   */
  @ValueAsSent({ kind: 'json' })
  payload_example?: JsonObject | string | null;

  /** Custom mapping of payload fields to alert fields; [] for the plain format only. HTTP only. */
  @ValueAsSent({ kind: 'hashes', maxItems: 10, type: () => FieldMappingDto })
  payload_attribute_mappings?: FieldMappingDto[] | null;

  /**
   * Recovery condition for tools that report recovery by a value instead of an end time. HTTP only.
   */
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

  /** Type of the integration, case-insensitive; HTTP by default. Cannot be changed later. */
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

  /** Accepted with the current type only. */
  @IntegrationTypeParam()
  type?: WireType | null;
}

/** The body of a test alert. */
export class TestAlertDto {
  /**
   * Payload of the tool, as JSON or as a string of JSON. A request body without this parameter, or
   * with others, is itself the payload. Any JSON value that is not an object is wrapped as
   * `{"payload": value}`.
   * @example {"title": "Disk full"}
   */
  @ValueAsSent({ kind: 'json' })
  payload?: unknown;
}
