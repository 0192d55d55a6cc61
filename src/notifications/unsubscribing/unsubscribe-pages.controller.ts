import { Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { OpenForm, Page } from '../../core/access/page.decorator.js';
import { NotFoundError } from '../../core/errors.js';
import type { Answer } from '../../core/http/answer.js';
import { atRoot } from '../../core/http/root-path.js';
import { Shell } from '../../core/ui/shell.decorator.js';
import type { PageInfo, PageShell } from '../../core/ui/shell.js';
import { UnsubscribeKeys, type Unsubscription } from '../../subscriptions/unsubscribe-keys.js';
import { UnsubscribedPage, UnsubscribePage } from './unsubscribe.page.js';
import { Unsubscriptions } from './unsubscriptions.service.js';

const INFO: PageInfo = { title: 'Unsubscribe', narrow: true, noReferrer: true };

/**
 * Targets of the unsubscribe links of emails, for readers and for mail clients (RFC 8058). Requires
 * no sign-in: the key in the path identifies the reader and the thread.
 */
@Controller(atRoot('-/sent_notifications/:key/unsubscribe'))
@Page('anyone')
export class UnsubscribePagesController {
  constructor(
    private readonly keys: UnsubscribeKeys,
    private readonly unsubscriptions: Unsubscriptions,
  ) {}

  /**
   * Shows the unsubscribe button: mail clients follow links in emails, so a GET changes nothing.
   */
  @Get()
  ask(@Shell() shell: PageShell, @Param('key') key: string): Answer {
    const { thread } = this.read(key);
    const page = UnsubscribePage({ action: shell.path, csrfToken: shell.csrfToken, thread });
    return shell.page(page, INFO);
  }

  /** Unsubscribes; can be repeated. */
  @Post()
  @HttpCode(200)
  @OpenForm()
  async unsubscribe(@Shell() shell: PageShell, @Param('key') key: string): Promise<Answer> {
    const unsubscription = this.read(key);
    await this.unsubscriptions.carryOut(unsubscription);
    return shell.page(UnsubscribedPage(unsubscription), INFO);
  }

  private read(key: string): Unsubscription {
    const found = this.keys.read(key);
    if (found === null) throw new NotFoundError();
    return found;
  }
}
