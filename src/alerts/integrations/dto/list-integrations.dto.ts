import { IntegrationTypeParam, type WireType } from '../integration-types.js';

/** Filters of the list of integrations. */
export class ListIntegrationsDto {
  /** Only integrations of this type. */
  @IntegrationTypeParam()
  type?: WireType | null;
}
