/* Contacts of consecutive steps. */
#include "rigid/contact.h"

void mo_rigid_contact_continue(mo_rigid_contact *contact, const mo_rigid_contact *before,
                               double ratio)
{
    for (int i = 0; i < contact->count; ++i) {
        contact->normal_impulse[i] = 0;
        for (int j = 0; j < before->count; ++j) {
            if (before->key[j] == contact->key[i]) {
                contact->normal_impulse[i] = ratio * before->normal_impulse[j];
                break;
            }
        }
    }
    mo_vec3 n = contact->normal, f = mo_scale(ratio, before->friction);
    contact->friction = mo_add_scaled(f, -mo_dot(n, f), n);
    contact->twist = ratio * before->twist;
    contact->rolling = mo_scale(ratio, before->rolling);
}
