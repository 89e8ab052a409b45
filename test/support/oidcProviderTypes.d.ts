/** As much of oidc-provider as the tests use; it brings no types. */
declare module 'oidc-provider' {
  export default class Provider {
    constructor(issuer: string, configuration: object);
    callback(): import('node:http').RequestListener;
  }
}
