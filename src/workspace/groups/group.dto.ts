import {
  BooleanParam,
  FileParam,
  IntegerParam,
  ListParam,
  TextParam,
} from '../../core/params/params.decorator.js';
import { ASSIGNABLE_LEVELS, type AssignableLevel } from '../../identity/members/roles.js';
import { VISIBILITY_NAMES, type VisibilityName } from '../../identity/members/visibility.js';

const GROUP_ORDERS = ['name', 'path', 'id', 'similarity'] as const;

/** GET /groups and GET /groups/:id/subgroups */
export class ListGroupsDto {
  /** Accepted for compatibility; no statistics are kept. */
  @BooleanParam()
  statistics?: boolean | null;

  /** Excludes these groups, as a list or separated by commas. */
  @ListParam({ of: 'integer', commaSeparated: true })
  skip_groups?: number[];

  /** false: only groups that the viewer is a member of. */
  @BooleanParam()
  all_available?: boolean | null;

  /** Only groups of this visibility. */
  @TextParam({ values: VISIBILITY_NAMES })
  visibility?: VisibilityName | null;

  /** Part of name or path. */
  @TextParam()
  search?: string | null;

  /** true: only groups that the viewer owns. */
  @BooleanParam()
  owned?: boolean | null;

  /** Sort column, `name` by default; `similarity` needs `search`. */
  @TextParam({ values: GROUP_ORDERS })
  order_by?: (typeof GROUP_ORDERS)[number] | null;

  /** Direction of the order, `asc` by default. */
  @TextParam({ values: ['asc', 'desc'] })
  sort?: 'asc' | 'desc' | null;

  /** Only groups in which the viewer has at least this level. */
  @IntegerParam({ values: ASSIGNABLE_LEVELS })
  min_access_level?: AssignableLevel | null;

  /** true: excludes subgroups. */
  @BooleanParam()
  top_level_only?: boolean | null;

  /** Administrators only; ignored for everyone else. */
  @TextParam()
  repository_storage?: string | null;

  /**
   * Pagination method; values other than `keyset` paginate by `page`. `keyset` requires
   * `order_by=name` and sorts in ascending order by default.
   */
  @TextParam({ values: ['keyset', 'legacy', 'offset'] })
  pagination?: 'keyset' | 'legacy' | 'offset' | null;

  /** Cursor of a page with `pagination=keyset`, from the link to it. */
  @TextParam()
  cursor?: string | null;
}

class GroupAttributesDto {
  /** Description of the group. */
  @TextParam({ maxLength: 500 })
  description?: string | null;

  /**
   * private: members; internal: all signed-in users; public: everyone. Not above the parent's, nor
   * below that of the group's projects and subgroups.
   */
  @TextParam({ values: VISIBILITY_NAMES })
  visibility?: VisibilityName | null;

  /** Allows users to request access; true for new groups by default. */
  @BooleanParam()
  request_access_enabled?: boolean | null;

  /** Enables notification emails for the group and its descendants; true for new groups by default. */
  @BooleanParam()
  emails_enabled?: boolean | null;

  /** PNG, JPEG, GIF or WebP image of at most 200 KiB, as multipart/form-data; empty removes it. */
  @FileParam()
  avatar?: Buffer | null;

  /** Deprecated, opposite form of `emails_enabled`. */
  @BooleanParam()
  emails_disabled?: boolean | null;
}

/** POST /groups */
export class CreateGroupDto extends GroupAttributesDto {
  /** Letters, digits, emoji, '_', '.', '(', ')', '+', dashes and spaces; at most 255 characters. */
  @TextParam({ required: true })
  name: string;

  /** Last part of the full path; unique in its parent, case-insensitive. */
  @TextParam({ required: true })
  path: string;

  /** Parent group; absent = a top-level group. */
  @IntegerParam()
  parent_id?: number | null;
}

/** PUT /groups/:id; absent keeps. */
export class UpdateGroupDto extends GroupAttributesDto {
  /** Letters, digits, emoji, '_', '.', '(', ')', '+', dashes and spaces; at most 255 characters. */
  @TextParam()
  name?: string | null;

  /** Last part of the full path; the old path redirects to the group. */
  @TextParam()
  path?: string | null;
}

/** POST /groups/:id/transfer; without `group_id` the group becomes a top-level group. */
export class TransferGroupDto {
  /** The new parent; absent = the group becomes a top-level group. */
  @IntegerParam()
  group_id?: number | null;
}

/** GET /groups/new */
export class NewGroupPageDto {
  /** The group above the new one. */
  @IntegerParam()
  parent_id?: number | null;
}

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

/** GET …/transfer_locations */
export class ListTransferLocationsDto {
  /** Part of name or path. */
  @TextParam()
  search?: string | null;
}

const LIST_ORDERS = ['newest', 'name', 'oldest'] as const;
type ListOrder = (typeof LIST_ORDERS)[number];

/** Query parameters of pages that list groups or projects. */
export class ListPageDto {
  /** Part of name or path. */
  @TextParam()
  search?: string | null;

  /** The order of the list. */
  @TextParam({ values: LIST_ORDERS })
  sort?: ListOrder | null;
}

/** The orders as a list to choose from. */
export const ORDER_CHOICES = [
  { value: 'newest', label: 'Newest' },
  { value: 'oldest', label: 'Oldest' },
  { value: 'name', label: 'Name' },
];

/** The same in the parameters of the finders. */
export const ORDER_PARAMS = {
  newest: { order_by: 'id', sort: 'desc' },
  oldest: { order_by: 'id', sort: 'asc' },
  name: { order_by: 'name', sort: 'asc' },
} as const;
