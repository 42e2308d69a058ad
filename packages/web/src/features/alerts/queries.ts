export const PER_PAGE = 25;
