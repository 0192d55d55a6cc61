import { BooleanParam, TextParam } from '../../core/params/params.decorator.js';

/** GET /namespaces */
export class ListNamespacesDto {
  @TextParam()
  search?: string | null;

  @BooleanParam()
  owned_only?: boolean | null;

  @BooleanParam()
  top_level_only?: boolean | null;
}
