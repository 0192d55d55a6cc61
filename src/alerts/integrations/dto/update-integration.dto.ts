import { BooleanParam, TextParam } from '../../../core/params/params.decorator.js';
import { IntegrationTypeParam, type WireType } from '../integration-types.js';
import { IntegrationAttributesDto } from './create-integration.dto.js';

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
  /** What the integration is called. Earlier addresses of its webhook stay good. */
  @TextParam({ allowEmpty: false, maxLength: 255 })
  name?: string | null;

  /** Whether its webhook takes alerts. Active external paging turns all others off. */
  @BooleanParam()
  active?: boolean | null;

  /** Only the type that it has. */
  @IntegrationTypeParam()
  type?: WireType | null;
}
