/** A grant of a review in words, namesakes told apart by e-mail. */

interface Named {
  userName: string | null;
  userEmail: string | null;
  profileName: string;
  accessScopeName: string | null;
}

export const nameOfItem = ({ userName, userEmail, profileName, accessScopeName }: Named): string =>
  accessScopeName
    ? `${profileName}: ${accessScopeName}`
    : `${[userName, userEmail].filter(Boolean).join(', ')}: ${profileName}`;
