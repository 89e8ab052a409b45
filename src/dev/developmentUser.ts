/** Whom the development identity provider signs in. */
export interface DevelopmentUser {
  sub: string;
  email: string;
  name: string;
}
