import { BooleanParam, TextParam } from '../../core/params/params.decorator.js';

/** GET /namespaces */
export class ListNamespacesDto {
  /** Part of name or full path. */
  @TextParam()
  search?: string | null;

  /** true: only namespaces that the viewer owns. */
  @BooleanParam()
  owned_only?: boolean | null;

  /** true: excludes subgroups. */
  @BooleanParam()
  top_level_only?: boolean | null;
}
