import { Controller, Get, Header, Inject } from '@nestjs/common';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import { NoAuthentication } from '../../core/access/access.decorator.js';
import { atRoot } from '../../core/http/root-path.js';
import { Input } from '../../core/params/input.decorator.js';
import { WebfingerDto } from '../oauth.dto.js';

const ISSUER = 'http://openid.net/specs/connect/1.0/issuer';

/** Description of a resource (RFC 7033 §4.4). */
export interface ResourceResponse {
  /** @example "acct:mallory@guildhall.example.com" */
  subject: string;
  links: ResourceLinkResponse[];
}

/** Link of the resource. */
export interface ResourceLinkResponse {
  /** @example "http://openid.net/specs/connect/1.0/issuer" */
  rel: string;
  /** @example "https://guildhall.example.com" */
  href: string;
}

/** Finds the provider of an account (OpenID Connect Discovery §2). */
@Controller(atRoot('.well-known/webfinger'))
@NoAuthentication()
export class WebfingerController {
  constructor(@Inject(CONFIG) private readonly config: Config) {}

  /** Returns this provider as the issuer for every account. */
  @Get()
  @Header('Cache-Control', 'public, max-age=3600')
  find(@Input() { resource }: WebfingerDto): ResourceResponse {
    return { subject: resource, links: [{ rel: ISSUER, href: this.config.baseUrl }] };
  }
}
