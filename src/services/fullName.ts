/** SQL of a user's first and last name, null without both. @param user the alias of the row of users, with its dot */
export const fullName = (user = ''): string => `nullif(concat_ws(' ', ${user}first_name, ${user}last_name), '')`;

/** SQL of what sentences call a person: the name, else the e-mail address, else the name for SCIM; null without any. @param user as for {@link fullName} */
export const calledName = (user = ''): string => `coalesce(${fullName(user)}, ${user}email, ${user}user_name)`;
