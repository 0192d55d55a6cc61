import { BooleanParam, TextParam } from '../../core/params/params.decorator.js';

/** Attributes of a user's own profile. */
export class ProfileDto {
  /** Full name. */
  @TextParam({ required: true, maxLength: 255 }) name: string;
  /** One of the user's confirmed addresses, or empty. */
  @TextParam({ maxLength: 255 }) public_email?: string | null;
  @TextParam({ maxLength: 255 }) bio?: string | null;
  @TextParam({ maxLength: 255 }) location?: string | null;
  /** Of a web site: `https://…` or `http://…`. */
  @TextParam({ maxLength: 2048 }) website_url?: string | null;
  @TextParam({ maxLength: 255 }) organization?: string | null;
  @TextParam({ maxLength: 255 }) job_title?: string | null;
  @TextParam({ maxLength: 50 }) pronouns?: string | null;
  /** Hides the profile's dates from other users. */
  @BooleanParam() private_profile?: boolean | null;
}
