import { BooleanParam, FileParam, TextParam } from '../../core/params/params.decorator.js';
import { VISIBILITY_NAMES, type VisibilityName } from '../../members/visibility.js';

/** PUT /groups/:id; absent keeps. */
export class UpdateGroupDto {
  /** Letters, digits, emoji, '_', '.', '(', ')', '+', dashes and spaces; at most 255 characters. */
  @TextParam()
  name?: string | null;

  /** Last part of the full path; the old one goes on leading to the group. */
  @TextParam()
  path?: string | null;

  /** What the group is for. */
  @TextParam({ maxLength: 500 })
  description?: string | null;

  /** Neither above the parent's nor below that of what the group holds. */
  @TextParam({ values: VISIBILITY_NAMES })
  visibility?: VisibilityName | null;

  /** Whether users may ask for membership. */
  @BooleanParam()
  request_access_enabled?: boolean | null;

  /** Whether anybody gets mails about what happens in the group and below. */
  @BooleanParam()
  emails_enabled?: boolean | null;

  /** PNG, JPEG, GIF or WebP image of at most 200 KiB, as multipart/form-data; empty removes it. */
  @FileParam()
  avatar?: Buffer | null;

  /** Former, opposite form of `emails_enabled`. */
  @BooleanParam()
  emails_disabled?: boolean | null;
}
