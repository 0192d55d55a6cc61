import { Controller, Get, Post } from '@nestjs/common';
import type { VNode } from 'preact';
import { Page } from '../../../core/access/access.decorator.js';
import { Auth, type SignedInContext, type Viewer } from '../../../core/access/auth-context.js';
import { AvatarDto, assertAvatarGiven } from '../../../core/avatars/avatar.dto.js';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { atRoot } from '../../../core/http/paths.js';
import { parseInput } from '../../../core/params/input.decorator.js';
import { ReadsPrimary } from '../../../core/sql/replica/request-reads.js';
import { formErrors, FormInput, given, type FormProblems } from '../../../core/ui/forms.js';
import type { PageInfo, PageContext } from '../../../core/ui/page-context.js';
import { Context } from '../../../core/ui/page-contexts.service.js';
import type { UserDetails } from '../../users/user.presenter.js';
import { UserEmailsRepository } from '../user-emails.repository.js';
import { BooleanParam, TextParam } from '../../../core/params/params.decorator.js';
import { PROFILE_PATH, ProfilePage, type ProfileValues } from './profile.page.js';
import { NotFoundError, ValidationFailedError } from '../../../core/errors.js';
import { NO_PRECONDITIONS } from '../../../core/preconditions.js';
import { UsersService } from '../../users/users.service.js';
import { UsersRepository } from '../../users/users.repository.js';

const INFO: PageInfo = { title: 'Profile', nav: 'account' };

/** Attributes of a user's own profile. */
class ProfileDto {
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

/** The page of the viewer's own profile. */
@ReadsPrimary()
@Controller(atRoot('-/user_settings/profile'))
@Page('signed_in')
export class ProfileController {
  constructor(
    private readonly users: UsersRepository,
    private readonly service: UsersService,
    private readonly emails: UserEmailsRepository,
  ) {}

  @Get()
  async edit(
    @Context() pageContext: PageContext,
    @Auth() { viewer }: SignedInContext,
  ): Promise<HttpResponse> {
    return pageContext.render(await this.saved(pageContext, viewer), INFO);
  }

  @Post('avatar')
  async changeAvatar(
    @Context() pageContext: PageContext,
    @FormInput() form: Record<string, unknown>,
    @Auth() auth: SignedInContext,
  ): Promise<HttpResponse> {
    try {
      const dto = await parseInput(AvatarDto, form);
      assertAvatarGiven(dto);
      await this.service.update({ id: auth.viewer.id, dto, preconditions: NO_PRECONDITIONS }, auth);
    } catch (error) {
      const page = await this.saved(pageContext, auth.viewer, formErrors(error));
      return pageContext.render(page, INFO, 422);
    }
    return pageContext.redirect(PROFILE_PATH, { notice: 'Avatar updated.' });
  }

  @Post()
  async update(
    @Context() pageContext: PageContext,
    @FormInput() form: Record<string, unknown>,
    @Auth() auth: SignedInContext,
  ): Promise<HttpResponse> {
    try {
      const dto = await this.checked(await parseInput(ProfileDto, form), auth.viewer);
      await this.service.update({ id: auth.viewer.id, dto, preconditions: NO_PRECONDITIONS }, auth);
    } catch (error) {
      const page = ProfilePage({
        viewer: auth.viewer,
        values: givenValues(form),
        errors: formErrors(error),
        confirmedEmails: await this.emails.listConfirmed(auth.viewer.id),
        csrfToken: pageContext.csrfToken,
      });
      return pageContext.render(page, INFO, 422);
    }
    return pageContext.redirect(PROFILE_PATH, { notice: 'Profile saved.' });
  }

  /**
   * Returns the profile with a trimmed website. Throws 400 with messages per attribute: others read
   * it, so the website must be a URL that browsers can open, and the email a confirmed one.
   */
  private async checked(dto: ProfileDto, viewer: Viewer): Promise<ProfileDto> {
    const website = dto.website_url?.trim();
    if (website && !isWebAddress(website)) {
      throw new ValidationFailedError({ website_url: ['must be a URL with http or https'] });
    }
    const { public_email: email } = dto;
    if (email && !(await this.emails.isConfirmed(viewer.id, email))) {
      throw new ValidationFailedError({ public_email: ['must be a confirmed address of yours'] });
    }
    return { ...dto, ...(website !== undefined && { website_url: website }) };
  }

  private async saved(
    { csrfToken }: PageContext,
    viewer: Viewer,
    avatarErrors?: FormProblems,
  ): Promise<VNode> {
    const user = await this.users.findDetails(viewer.id);
    if (user === null) throw new NotFoundError('User');
    return ProfilePage({
      viewer,
      values: valuesOf(user),
      confirmedEmails: await this.emails.listConfirmed(viewer.id),
      csrfToken,
      ...(avatarErrors !== undefined && { avatarErrors }),
    });
  }
}

function valuesOf(user: UserDetails): ProfileValues {
  return {
    name: user.name,
    public_email: user.publicEmail,
    bio: user.bio,
    location: user.location,
    website_url: user.websiteUrl,
    organization: user.organization,
    job_title: user.jobTitle,
    pronouns: user.pronouns,
    private_profile: user.privateProfile,
  };
}

function givenValues(form: Record<string, unknown>): ProfileValues {
  return {
    name: given(form, 'name'),
    public_email: given(form, 'public_email'),
    bio: given(form, 'bio'),
    location: given(form, 'location'),
    website_url: given(form, 'website_url'),
    organization: given(form, 'organization'),
    job_title: given(form, 'job_title'),
    pronouns: given(form, 'pronouns'),
    private_profile: form['private_profile'] === 'true',
  };
}

/** Only such addresses become links. */
function isWebAddress(text: string): boolean {
  return /^https?:\/\/[^\s]+$/i.test(text) && URL.canParse(text);
}
