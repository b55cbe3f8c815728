/** Money and plans: what no waiting cures. */
import type { Rule } from "../classify/rule.ts";

export const SPENDING: readonly Rule[] = [
  {
    id: "credit-too-low",
    kind: "billing",
    level: "verdict",
    confidence: 0.97,
    ignoreCase: true,
    lines: String.raw`
      credit => \bcredit balance (?:is )?too low
      balance,credit,credits,funds => \b(?:insufficient|not enough|no|out of|low on|ran out of|
      ... zero|exhausted|negative|used up|used all) (?:\w{1,20} )?(?:credits?|balance|funds)\b
      balance,credit,credits,funds => \b(?:credits?|balance|funds) (?:\w{1,12} ){0,
      ... 4}(?:exhausted|insufficient|depleted|too low|used up|run out|not enough|negative)\b
      plan => \bexceeded your current quota, please check your plan and billing
      insufficient => \binsufficient[_ ]quota\b
      payment => \b[Pp]ayment (?:is )?(?:required|failed|declined)\b
      payment => \b[Pp]ayment (?:is )?(?:overdue|method (?:is )?(?:required|missing|declined))\b
      billing => \b[Bb]illing (?:account )?(?:is )?(?:not (?:active|enabled|configured|set up)|
      ... disabled|error|inactive|hard limit|limit (?:has been )?reached|details|issue|required|
      ... has not been|must be)\b
      billing => \bbilling_\w{1,40}\b
      enable => \benable billing\b
      requires => \brequires billing\b
      budget,monthly,spend,spending,usage => \b(?:spending|spend|budget|monthly|usage) (?:limit|
      ... cap|budget)s? (?:has been |was |is )?(?:reached|exceeded|hit)\b(?=.{0,80}(?:billing|
      ... spend|budget|credit|upgrade|plan|\$))
      budget,spend,spending => \b(?:spending|spend|budget) (?:limit|cap) (?:of .{1,
      ... 20} )?(?:has been |was |is |been )?(?:reached|exceeded|hit)\b
      budget => \bBudgetExceeded(?:Error|Exception)?\b
      budget => \b[Bb]udget (?:has been )?exceeded\b
      budget => \bExceeded (?:your )?budget\b
      exceeded => \bexceeded (?:your |the )?(?:monthly |maximum )?(?:budget|spend|spending)
      included => \bexceeded (?:your |the )?(?:monthly |maximum )?included credits
      credit => \bexceeded (?:your |the )?(?:monthly |maximum )?credit limit
      hard => \bhard limit (?:has been )?reached\b
      specified => \byou(?:'ve| have) (?:reached|exceeded) your specified API usage limits
      exceeded,reached => \byou(?:'ve| have) (?:reached|exceeded) your spending
      monthly => \byou(?:'ve| have) (?:reached|exceeded) your monthly included credits
      exceeded,reached => \byou(?:'ve| have) (?:reached|exceeded) your credit
      limits => \bspecified API usage limits\b
      buy,purchase => \b(?:purchase|buy) (?:more |additional |some )?(?:credits?|funds)\b
      add => \badd (?:more |additional |some )?(?:credits?|funds)\b
      balance => \b(?:purchase|buy|add) (?:more |additional |some )?your balance\b
      recharge,top => \b(?:top up|recharge) (?:more |additional |some )?(?:credits?|funds)\b
      recharge,top => \b(?:top up|recharge) (?:more |additional |some )?your balance\b
      subscription => \bsubscription (?:has |is |was )?(?:expired|inactive|cancell?ed)\b
      subscription => \bsubscription (?:has |is |was )?(?:required|not active|past due)\b
      subscription => \bno active subscription\b
      active,arrears,deactivated,delinquent,disabled,past,suspended => \b(?:account|
      ... organization|project|plan) (?:is |has been |was )?(?:suspended|deactivated|disabled|
      ... not active|past due|delinquent|in arrears)\b.{0,80}(?:billing|payment|balance|invoice|
      ... unpaid)
      plan => \bQuota exceeded\. Check your plan and billing
      prepaid => \bprepaid (?:credits|balance)
      plan => \bcheck your plan and billing\b
      allotment => \bquota or usage allotment has run out
      free => \bfree (?:tier|trial|credits) (?:\w{1,12} ){0,3}(?:exhausted|ended|expired)\b
      free => \bfree (?:quota|usage|plan) (?:\w{1,12} ){0,3}(?:exhausted|ended|expired)\b
      free => \bfree (?:tier|trial|credits) (?:\w{1,12} ){0,3}(?:exceeded|over|used up)\b
      free => \bfree (?:quota|usage|plan) (?:\w{1,12} ){0,3}(?:exceeded|over|used up)\b
      credits => \busage credits\b.{0,30}(?:exhausted|required)
      requires => \brequires (?:an? )?(?:active |paid )(?:subscription|plan)\b
      active,paid,subscription => \bneed(?:s)? (?:an? )?(?:active |paid )(?:subscription|plan)\b
      budget => \bMax budget\b
      maximum => \bReached maximum budget
      purchase => \bupgrade or purchase credits
      included => \bnot included in your (?:plan|subscription)\b
      402 => \b402 Payment
      upgrade => \bupgrade to (?:Plus|Pro|Max|Team)\b(?!.{0,80}\btry again)
      business,enterprise => \bupgrade to (?:Business|Enterprise)\b(?!.{0,80}\btry again)
      paid => \bupgrade to a paid\b(?!.{0,80}\btry again)
      over => \bover budget\b
      budget => \b(?:exceeded|over) (?:its |the |their |your |max(?:imum)? )?budget\b
      budget => \breached maximum budget\b
    `,
    unless: String.raw`
      \b(?:tokens|requests) per (?:min|day|hour)
      \bTPM\b
      \bRPM\b
      \bTPD\b
      \brate[ _]limit reached for\b
      \brate limits?:
      \bhit your (?:usage|session|weekly|daily|5-hour|\w{1,10}) ?limit
      \busage limit\b.{0,80}\btry again
    `,
    example: "The credit balance is too low for one more cart",
    nearMiss: "the left side of the cart hangs too low",
  },
];
