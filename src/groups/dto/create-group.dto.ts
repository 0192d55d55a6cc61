import {
  BooleanParam,
  FileParam,
  IntegerParam,
  TextParam,
} from '../../core/params/params.decorator.js';
import { VISIBILITY_NAMES, type VisibilityName } from '../../members/visibility.js';

/** POST /groups */
export class CreateGroupDto {
  /** Letters, digits, emoji, '_', '.', '(', ')', '+', dashes and spaces; at most 255 characters. */
  @TextParam({ required: true })
  name: string;

  /** Last part of the full path; unique beside its siblings whatever its case. */
  @TextParam({ required: true })
  path: string;

  /** The group above; absent = a top-level group. */
  @IntegerParam()
  parent_id?: number | null;

  /** What the group is for. */
  @TextParam({ maxLength: 500 })
  description?: string | null;

  /** private: members; internal: everybody signed in; public: everybody. Not above the parent's. */
  @TextParam({ values: VISIBILITY_NAMES })
  visibility?: VisibilityName | null;

  /** Whether users may ask for membership; true by default. */
  @BooleanParam()
  request_access_enabled?: boolean | null;

  /** Whether anybody gets mails about what happens in the group and below; true by default. */
  @BooleanParam()
  emails_enabled?: boolean | null;

  /** PNG, JPEG, GIF or WebP image of at most 200 KiB, as multipart/form-data. */
  @FileParam()
  avatar?: Buffer | null;

  /** Former, opposite form of `emails_enabled`. */
  @BooleanParam()
  emails_disabled?: boolean | null;
}
